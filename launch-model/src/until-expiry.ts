import type { AnyBucket, PlacedBucket, Standing } from './standing.ts'
import { recordDue } from './triggers.ts'

/** After this time, a transaction can no longer land. */
const LIFETIME_SECONDS = 90

/**
 * A bucket in each second until a transaction expires, if everything is recorded as soon as it is due. Whoever sends
 * the triggers later only delays the same bonuses and penalties.
 */
export function untilExpiry(
  { buckets, unlocked, nowSeconds }: Standing,
  { address }: PlacedBucket,
): { bucket: PlacedBucket; now: bigint }[] {
  const moments = []
  let current: AnyBucket[] = [...buckets, ...unlocked]
  for (let seconds = 0; seconds <= LIFETIME_SECONDS; seconds++) {
    const now = BigInt(nowSeconds + seconds)
    current = recordDue(current, now)
    moments.push({ bucket: current.find(one => one.address === address) as PlacedBucket, now })
  }
  return moments
}
