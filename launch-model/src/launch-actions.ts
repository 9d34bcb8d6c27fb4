import type { Address } from '@slipway/schema/address'
import { firstOf, type Moment, type Refusals } from './actions.ts'
import type { Bucket } from './bucket.ts'
import type { Condition } from './conditions.ts'
import { kindOf } from './kinds/kinds.ts'
import { resolveLaunchTimes, resolveTime } from './launch-times.ts'

type PlacedBucket = Bucket & { address: Address }

/** What can't be done with a launch at a time, and why, in Unix seconds. Undefined while it has no bucket that sells. */
export function resolveRefusals(
  buckets: readonly PlacedBucket[],
  nowSeconds: number,
  who: Pick<Moment, 'wallet' | 'deposit'> = {},
  isMet: Moment['isMet'] = condition => hasComeTrue(buckets, condition, nowSeconds),
): Refusals | undefined {
  const times = resolveLaunchTimes(buckets)
  const sale = times && kindOf(times.primary.kind).sale
  if (!sale) return undefined
  const { primary, graduated } = times
  const own = sale.actions(primary as never, { ...who, isMet, nowSeconds })
  const becomesPool = buckets.some(({ kind }) => kindOf(kind).hasPool)
  if (graduated)
    return becomesPool
      ? { ...own, buy: undefined, sell: undefined, graduate: 'GRADUATED' }
      : { ...own, graduate: 'GRADUATED' }
  const conditions: Partial<Record<string, Condition>> = primary.conditions
  const hasEnded = isMet(conditions[sale.end])
  // Claims that have no time of their own start when the launch graduates.
  const isWaiting = hasEnded && resolveTime(buckets, conditions.ClaimStart) === undefined
  return {
    ...own,
    claim: own.claim === 'CLAIMS_NOT_STARTED' && isWaiting ? 'NOT_GRADUATED' : own.claim,
    graduate: firstOf(
      [!becomesPool || (hasEnded && sale.misses?.(primary as never) === true), 'NO_POOL'],
      [!hasEnded, 'NOT_ENDED'],
    ),
  }
}

/** Whether a condition has come true. The chain may not have recorded that yet; anyone can trigger the recording. */
function hasComeTrue(
  buckets: readonly PlacedBucket[],
  condition: Condition | undefined,
  nowSeconds: number,
): boolean {
  if (!condition) return false
  if (condition.kind === 'Always') return true
  const time = resolveTime(buckets, condition)
  return time !== undefined && time <= nowSeconds
}
