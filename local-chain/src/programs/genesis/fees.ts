import { FeeDiscriminants } from '@metaplex-foundation/genesis'

export type Fee = { readonly type: FeeDiscriminants; readonly amount: bigint }

const BPS = 10_000n

export const percentage = (amount: bigint, bps: bigint): bigint => (amount * bps) / BPS

/** The program rounds fees down, so very small amounts are free. */
export const feeOn = (amount: bigint, { type, amount: fee }: Fee): bigint =>
  type === FeeDiscriminants.Flat ? fee : percentage(amount, fee)

/** The amount that leaves `net` after two fees, each of which is computed on the whole amount. */
export function grossForNet(net: bigint, fees: readonly Fee[]): bigint {
  const sum = (type: FeeDiscriminants) =>
    fees.filter(fee => fee.type === type).reduce((total, { amount }) => total + amount, 0n)
  const bps = sum(FeeDiscriminants.BasisPoints)
  const gross = ((net + sum(FeeDiscriminants.Flat)) * BPS) / (BPS - bps)
  const left = fees.reduce((rest, fee) => rest - feeOn(gross, fee), gross)
  return left < net ? gross + 1n : gross
}
