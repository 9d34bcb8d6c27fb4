import type { BucketTimes, Condition } from '@metaplex-foundation/genesis'
import { isSome, type PublicKey, some } from '@metaplex-foundation/umi'
import { genesisError } from './errors.ts'

/** When a condition of another bucket was met; `undefined` if it was not, or if that bucket was not passed. */
export type BucketTime = (bucket: PublicKey, time: BucketTimes) => bigint | undefined

/** Whether the program has found the condition to be met. An `Always` condition never records a time. */
export const isMet = (condition: Condition): boolean =>
  condition.__kind === 'Always' || isSome(condition.triggeredTimestamp)

/**
 * Records in a condition that has come true when it did: at the present time, or at its offset from another bucket's
 * time.
 */
export function triggerIfDue<T extends Condition>(condition: T, now: bigint, timeOf?: BucketTime): T {
  const time = isMet(condition) ? undefined : dueTime(condition, now, timeOf)
  return time === undefined || time > now ? condition : { ...condition, triggeredTimestamp: some(time) }
}

function dueTime(condition: Condition, now: bigint, timeOf?: BucketTime): bigint | undefined {
  if (condition.__kind === 'TimeAbsolute') return condition.time <= now ? now : undefined
  if (condition.__kind !== 'TimeRelative') return undefined
  const reference = timeOf?.(condition.bucket, condition.bucketTime)
  return reference === undefined ? undefined : reference + condition.timeOffset
}

export function assertInitialized(...conditions: readonly Condition[]): void {
  if (conditions.some(({ __kind }) => __kind === 'Uninitialized'))
    throw genesisError('UninitializedCondition')
}

export function assertKind(condition: Condition, allowed: readonly Condition['__kind'][]): void {
  if (!allowed.includes(condition.__kind)) throw genesisError('InvalidConditionTypeForSlot')
}

/** Only absolute times can be compared in advance. */
export function assertInOrder(earlier: Condition, later: Condition, error: string): void {
  if (earlier.__kind !== 'TimeAbsolute' || later.__kind !== 'TimeAbsolute') return
  if (later.time <= earlier.time) throw genesisError(error)
}
