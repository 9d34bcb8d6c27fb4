import type { LaunchActivity } from '@slipway/client'

/** How a launch's fees have grown within a day. */
export interface Growth {
  units: bigint
  /** How long they were seen growing, if the service has not watched them for the whole day. */
  spanMs?: number
  /** For a chart. */
  values: number[]
}

const DAY_MS = 86_400_000
/** The oldest point is that much younger than a day at most. */
const STEP_MS = 3_600_000

/** Undefined if it can't be told. A launch that opened within the day began with no fees. */
export function findGrowth(
  { points, current }: Pick<LaunchActivity, 'points' | 'current'>,
  startTime: string | undefined,
  nowMs: number,
): Growth | undefined {
  const known = points.flatMap(({ time, creatorFees }) =>
    creatorFees === null ? [] : [{ atMs: Date.parse(time), fees: creatorFees }],
  )
  const fees = known.map(point => point.fees)
  if (current?.creatorFees != null) fees.push(current.creatorFees)
  const openedMs = Date.parse(startTime ?? '')
  if (openedMs > nowMs - DAY_MS) fees.unshift('0')
  const [first, last] = [fees[0], fees.at(-1)]
  if (first === undefined || last === undefined || fees.length < 2) return undefined
  const growth = { units: BigInt(last) - BigInt(first), values: fees.map(Number) }
  const sinceMs = known[0]?.atMs ?? nowMs
  if (openedMs > nowMs - DAY_MS || sinceMs <= nowMs - DAY_MS + STEP_MS) return growth
  // Nothing seen in a part of the day says nothing about the rest of it.
  return growth.units === 0n ? undefined : { ...growth, spanMs: nowMs - sinceMs }
}
