import { FEE_TYPES, type Fee, totalBps } from '@slipway/launch-model/fees'

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

export const FEE_OF_WITHDRAWAL = 'of each withdrawal'

/** What taking part costs: `2% of each deposit`. Flat fees are left to the form, which shows them with the amount. */
export function describeFees(charges: Charges, isTraded: boolean): { share: number; text: string }[] {
  const { creatorFee, depositPenalty, withdrawPenalty } = charges.extensions ?? {}
  const creator = creatorFee && { type: creatorFee.feeType, amount: creatorFee.fee }
  const paid = feeOf(charges.depositFeeType, charges.depositFee)
  const withdrawn = feeOf(charges.withdrawFeeType, charges.withdrawFee)
  const fees: [Fee[], string][] = isTraded
    ? [
        [[...paid, ...(creator ? [creator] : [])], 'of each purchase'],
        [[...withdrawn, ...(creator ? [creator] : [])], 'of each sale'],
      ]
    : [
        [paid, `of each deposit${depositPenalty ? ', and a penalty' : ''}`],
        [withdrawn, `${FEE_OF_WITHDRAWAL}${withdrawPenalty ? ', and a penalty' : ''}`],
        [feeOf(charges.claimFeeType, charges.claimFee), 'of each claim'],
      ]
  return fees.flatMap(([parts, text]) => {
    const bps = totalBps(parts)
    return bps > 0n ? [{ share: Number(bps) / 10_000, text }] : []
  })
}

const feeOf = (type = FEE_TYPES.basisPoints as number, amount = 0n): Fee[] => [{ type, amount }]
