import { BLOCKS_TO_EXPIRY } from './expiry.ts'
import type { AnyBucket, PlacedBucket, PositionAccounts } from './position-accounts.ts'
import { recordDue } from './triggers.ts'

/** Some slots have no block, and slots may get longer. */
const SLOTS_TO_EXPIRY = 1.5 * BLOCKS_TO_EXPIRY

/**
 * The states a bucket can be in while a transaction can still land, one for each second. `slotMsMost` is the longest
 * that a slot takes now. Bonuses and penalties are
 * recorded as soon as they are due. If their triggers are sent later, they take effect later, but no others do.
 */
export function untilExpiry(
  { buckets, unlocked, nowSeconds }: PositionAccounts,
  { address }: PlacedBucket,
  slotMsMost: number,
): { bucket: PlacedBucket; now: bigint }[] {
  const moments = []
  let current: AnyBucket[] = [...buckets, ...unlocked]
  const secondsMax = Math.ceil((SLOTS_TO_EXPIRY * slotMsMost) / 1_000)
  for (let seconds = 0; seconds <= secondsMax; seconds++) {
    const now = BigInt(nowSeconds + seconds)
    current = recordDue(current, now)
    moments.push({ bucket: current.find(one => one.address === address) as PlacedBucket, now })
  }
  return moments
}
