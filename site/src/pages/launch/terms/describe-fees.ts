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

/** A fee as a share of an amount: `2% of each deposit`. */
export interface FeeTerm {
  share: number
  text: string
  /** What it is taken from. On a curve, buying is paying and selling is leaving. */
  on: 'paying' | 'leaving' | 'claiming'
}

/** What taking part costs. Flat fees are left to the form, which shows them with the amount. */
export function describeFees(charges: Charges, isTraded: boolean): FeeTerm[] {
  const { depositPenalty, withdrawPenalty } = charges.extensions ?? {}
  const creator = creatorFeeOf(charges)
  const paid = feeOf(charges.depositFeeType, charges.depositFee)
  const withdrawn = feeOf(charges.withdrawFeeType, charges.withdrawFee)
  const fees: [FeeTerm['on'], Fee[], string][] = isTraded
    ? [
        ['paying', [...paid, ...creator], 'of each purchase'],
        ['leaving', [...withdrawn, ...creator], 'of each sale'],
      ]
    : [
        ['paying', paid, `of each deposit${depositPenalty ? ', and a penalty' : ''}`],
        ['leaving', withdrawn, `of each withdrawal${withdrawPenalty ? ', and a penalty' : ''}`],
        ['claiming', feeOf(charges.claimFeeType, charges.claimFee), 'of each claim'],
      ]
  return fees.flatMap(([on, parts, text]) => {
    const share = shareOf(parts)
    return share > 0 ? [{ share, text, on }] : []
  })
}

/** The creator's part of each trade. */
export const creatorShareOf = (charges: Charges): number => shareOf(creatorFeeOf(charges))

const creatorFeeOf = ({ extensions: { creatorFee } = {} }: Charges): Fee[] =>
  creatorFee ? [{ type: creatorFee.feeType, amount: creatorFee.fee }] : []

const shareOf = (fees: readonly Fee[]): number => Number(totalBps(fees)) / Number(BPS)

const feeOf = (type = FEE_TYPES.basisPoints as number, amount = 0n): Fee[] => [{ type, amount }]
