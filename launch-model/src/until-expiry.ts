import type { AnyBucket, PlacedBucket, Standing } from './standing.ts'
import { recordDue } from './triggers.ts'

/** After this time, a transaction can no longer land. */
const LIFETIME_SECONDS = 90

/**
 * The states a bucket can be in while a transaction can still land, one for each second. Bonuses and penalties are
 * recorded as soon as they are due. If their triggers are sent later, they take effect later, but no others do.
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
