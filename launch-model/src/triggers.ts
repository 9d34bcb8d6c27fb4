import type { Address } from '@slipway/schema/address'
import type { Condition } from './conditions.ts'

/** A bucket that has conditions, in itself and in its schedules. */
export interface ConditionalBucket {
  address: Address
  conditions: Partial<Record<string, Condition>>
  extensions: object
}

/**
 * Whether the program finds a condition met. It compares absolute times with the clock; relative ones must have been
 * recorded.
 */
export const isMetNow = (condition: Condition | undefined, now: bigint): boolean =>
  condition !== undefined &&
  (condition.kind === 'Always' ||
    isRecorded(condition) ||
    (condition.kind === 'TimeAbsolute' && condition.time <= now))

const isRecorded = ({ triggeredTimestamp = 0n }: Condition): boolean => triggeredTimestamp > 0n

/**
 * The buckets as they are once `triggerConditionsV2` has recorded everything that has come true: an absolute time
 * counts from the moment it is recorded, and a relative one from the recorded time of the bucket that it refers to.
 */
export function recordDue<B extends ConditionalBucket>(buckets: readonly B[], now: bigint): B[] {
  let current = [...buckets]
  // A condition can refer to another that itself refers to a third, so each round resolves one step.
  for (let round = 0; round < current.length; round++) {
    const timeOf = (own: Address, { bucket, bucketTime }: RelativeCondition): bigint | undefined => {
      const other = bucket === own ? undefined : current.find(({ address }) => address === bucket)
      const recorded = other?.conditions[bucketTime]
      return recorded && isRecorded(recorded) ? recorded.triggeredTimestamp : undefined
    }
    const next = current.map(bucket => {
      const record = (condition: Condition) => recordIfDue(condition, now, one => timeOf(bucket.address, one))
      const [conditions, extensions] = [bucket.conditions, bucket.extensions].map(part =>
        mapConditions(part, record),
      )
      const isSame = conditions === bucket.conditions && extensions === bucket.extensions
      return isSame ? bucket : { ...bucket, conditions, extensions }
    }) as B[]
    if (next.every((bucket, index) => bucket === current[index])) break
    current = next
  }
  return current
}

export type RelativeCondition = Extract<Condition, { kind: 'TimeRelative' }>

function recordIfDue(
  condition: Condition,
  now: bigint,
  timeOf: (condition: RelativeCondition) => bigint | undefined,
): Condition {
  if (isRecorded(condition)) return condition
  if (condition.kind === 'TimeAbsolute')
    return condition.time <= now ? { ...condition, triggeredTimestamp: now } : condition
  if (condition.kind !== 'TimeRelative') return condition
  const since = timeOf(condition)
  const time = since === undefined ? undefined : since + condition.timeOffset
  return time === undefined || time > now ? condition : { ...condition, triggeredTimestamp: time }
}

/** Replaces the conditions in a part of a bucket. Returns the same part if none has changed. */
function mapConditions<T>(part: T, change: (condition: Condition) => Condition): T {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
  if (isCondition(part)) return change(part) as T
  const entries = Object.entries(part)
  const changed = entries.map(([name, value]) => [name, mapConditions(value, change)] as const)
  return changed.every(([, value], index) => value === entries[index]?.[1])
    ? part
    : (Object.fromEntries(changed) as T)
}

const isCondition = (part: object): part is Condition =>
  'kind' in part && (part.kind === 'TimeAbsolute' || part.kind === 'TimeRelative')

/** The buckets that a bucket's unrecorded conditions refer to. A bucket that others refer to comes before them. */
export function listReferences(buckets: readonly ConditionalBucket[], target: ConditionalBucket): Address[] {
  const byAddress = new Map(buckets.map(bucket => [bucket.address, bucket]))
  const visited = new Set([target.address])
  const listed: Address[] = []
  const visit = (bucket: ConditionalBucket) => {
    for (const address of directReferences(bucket)) {
      const found = byAddress.get(address)
      if (!found || visited.has(address)) continue
      visited.add(address)
      visit(found)
      listed.push(address)
    }
  }
  visit(target)
  return listed
}

function directReferences({ conditions, extensions }: ConditionalBucket): Set<Address> {
  const found = new Set<Address>()
  for (const part of [conditions, extensions])
    mapConditions(part, condition => {
      if (condition.kind === 'TimeRelative' && !isRecorded(condition)) found.add(condition.bucket)
      return condition
    })
  return found
}
