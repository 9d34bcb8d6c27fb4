/** A fee as buckets have it: a flat amount, or basis points of the amount that it is taken from. */
export interface Fee {
  type: number
  amount: bigint
}

/** The official client calls it `FeeDiscriminants`. */
export const FEE_TYPES = { basisPoints: 0, flat: 1 } as const

export const BPS = 10_000n

export const percentage = (amount: bigint, bps: bigint): bigint => (amount * bps) / BPS

/** The program rounds fees down, so very small amounts are free. */
export const feeOn = (amount: bigint, { type, amount: fee }: Fee): bigint =>
  type === FEE_TYPES.flat ? fee : percentage(amount, fee)

/** The basis points that all of these fees take together. */
export const totalBps = (fees: readonly Fee[]): bigint =>
  fees.reduce((total, { type, amount }) => (type === FEE_TYPES.flat ? total : total + amount), 0n)

/** The amount that leaves `net` after all fees, each of which is computed on the whole amount. */
export function grossForNet(net: bigint, fees: readonly Fee[]): bigint {
  const flat = fees.reduce(
    (total, { type, amount }) => (type === FEE_TYPES.flat ? total + amount : total),
    0n,
  )
  const bps = totalBps(fees)
  if (bps >= BPS) throw new RangeError('the fees take everything')
  const gross = ((net + flat) * BPS) / (BPS - bps)
  const left = fees.reduce((rest, fee) => rest - feeOn(gross, fee), gross)
  return left < net ? gross + 1n : gross
}

/**
 * The least amount that leaves at least `net`. Fees are rounded one by one, so one unit more can leave one unit less:
 * `grossForNet`, which is what the program uses, can be a few units off.
 */
export function leastGross(net: bigint, fees: readonly Fee[]): bigint {
  const leaves = (gross: bigint) => fees.reduce((rest, fee) => rest - feeOn(gross, fee), gross) >= net
  let least = grossForNet(net, fees)
  while (!leaves(least)) least += 1n
  for (let back = 1n; back <= NEARBY && back < least; back++) {
    if (!leaves(least - back)) continue
    least -= back
    back = 0n
  }
  return least
}
const NEARBY = 4n
