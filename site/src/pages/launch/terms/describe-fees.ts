import { BPS, FEE_TYPES, type Fee, totalBps } from '@slipway/launch-model/fees'

/** What a bucket that sells says about its fees. */
export interface Charges {
  depositFeeType?: number
  depositFee?: bigint
  withdrawFeeType?: number
  withdrawFee?: bigint
  claimFeeType?: number
  claimFee?: bigint
  extensions?: {
    creatorFee?: { feeType: number; fee: bigint }
    depositPenalty?: object
    withdrawPenalty?: object
  }
}

export const FEE_OF_DEPOSIT = 'of each deposit'
export const FEE_OF_WITHDRAWAL = 'of each withdrawal'

/** What taking part costs: `2% of each deposit`. Flat fees are left to the form, which shows them with the amount. */
export function describeFees(charges: Charges, isTraded: boolean): { share: number; text: string }[] {
  const { depositPenalty, withdrawPenalty } = charges.extensions ?? {}
  const creator = creatorFeeOf(charges)
  const paid = feeOf(charges.depositFeeType, charges.depositFee)
  const withdrawn = feeOf(charges.withdrawFeeType, charges.withdrawFee)
  const fees: [Fee[], string][] = isTraded
    ? [
        [[...paid, ...creator], 'of each purchase'],
        [[...withdrawn, ...creator], 'of each sale'],
      ]
    : [
        [paid, `${FEE_OF_DEPOSIT}${depositPenalty ? ', and a penalty' : ''}`],
        [withdrawn, `${FEE_OF_WITHDRAWAL}${withdrawPenalty ? ', and a penalty' : ''}`],
        [feeOf(charges.claimFeeType, charges.claimFee), 'of each claim'],
      ]
  return fees.flatMap(([parts, text]) => {
    const share = shareOf(parts)
    return share > 0 ? [{ share, text }] : []
  })
}

/** The creator's part of each trade. */
export const creatorShareOf = (charges: Charges): number => shareOf(creatorFeeOf(charges))

const creatorFeeOf = ({ extensions: { creatorFee } = {} }: Charges): Fee[] =>
  creatorFee ? [{ type: creatorFee.feeType, amount: creatorFee.fee }] : []

const shareOf = (fees: readonly Fee[]): number => Number(totalBps(fees)) / Number(BPS)

const feeOf = (type = FEE_TYPES.basisPoints as number, amount = 0n): Fee[] => [{ type, amount }]
