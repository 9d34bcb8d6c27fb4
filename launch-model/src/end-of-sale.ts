import type { Address } from '@slipway/schema/address'
import { firstOf, type Refusal } from './actions.ts'
import type { Condition } from './conditions.ts'
import { percentage } from './fees.ts'
import type { Behavior } from './kinds/bucket-parts.ts'
import { type BucketKindName, kindOf } from './kinds/kinds.ts'
import {
  type AnyBucket,
  conditionsOf,
  type PlacedBucket,
  type PositionAccounts,
  type Trigger,
} from './position-accounts.ts'
import { isMetNow, recordDue } from './triggers.ts'

/** The triggers that send the proceeds of a sale that has ended; none if they have been sent. */
export function endTriggers(
  accounts: PositionAccounts,
  sale: PlacedBucket,
  recorded: PlacedBucket,
): Trigger[] {
  const due = sendable(recorded, BigInt(accounts.nowSeconds))
  if (due.length === 0) return []
  const kindAt = (address: Address): BucketKindName =>
    accounts.buckets.find(bucket => bucket.address === address)?.kind ?? 'unlockedV2'
  const destinations = [...new Set(due.map(({ bucket }) => bucket))]
  return [
    ...(hasEnded(sale, BigInt(accounts.nowSeconds)) ? [] : [conditionsOf(accounts, sale)]),
    {
      kind: 'behaviors',
      bucket: { kind: sale.kind, address: sale.address },
      destinations: destinations.map(address => ({ kind: kindAt(address), address })),
    },
  ]
}

/** Why a launch that has ended can't graduate, even after all triggers: too early, no proceeds, or no price. */
export function refuseGraduation(
  accounts: PositionAccounts,
  pool: PlacedBucket & { kind: 'raydiumCpmmV2' },
): Refusal | undefined {
  const now = BigInt(accounts.nowSeconds)
  const recorded = recordSales(accounts)
  const conditions: Partial<Record<string, Condition>> | undefined = recorded.find(
    ({ address }) => address === pool.address,
  )?.conditions
  const proceeds = recorded.reduce(
    (sum, sale) => sum + sentTo(sale, pool.address, now),
    pool.quoteTokenInSigner,
  )
  const hasPrice =
    pool.priceNumerator > 0n ||
    recorded
      .flatMap(sale => sendable(sale, now))
      .some(({ kind, bucket }) => kind === 'SendStartPrice' && bucket === pool.address)
  const isOpen = recorded.some(sale => pendingBehaviors(sale, now).length > 0 && !hasEnded(sale, now))
  return firstOf(
    [isOpen || !isMetNow(conditions?.GraduateStart, now), 'NOT_ENDED'],
    [proceeds === 0n || !hasPrice, 'NO_POOL'],
  )
}

/** The triggers that graduation needs: those that end each sale, and the one that records the pool's own start. */
export function graduationTriggers(accounts: PositionAccounts, pool: PlacedBucket): Trigger[] {
  const conditions: Partial<Record<string, Condition>> = pool.conditions
  const isOpen = isMetNow(conditions.GraduateStart, BigInt(accounts.nowSeconds))
  const recorded = recordSales(accounts)
  return [
    ...accounts.buckets.flatMap((bucket, index) =>
      endTriggers(accounts, bucket, recorded[index] as PlacedBucket),
    ),
    ...(isOpen ? [] : [conditionsOf(accounts, pool)]),
  ]
}

/** The launch's buckets, in order, once everything that is due is recorded. */
const recordSales = ({ buckets, unlocked, nowSeconds }: PositionAccounts): PlacedBucket[] =>
  recordDue<AnyBucket>([...buckets, ...unlocked], BigInt(nowSeconds)).filter(
    bucket => bucket.kind !== 'unlockedV2',
  )

type SentBehavior = Extract<Behavior, { bucket: Address }>

/** The behaviors that a sale still has to run. If it has missed its goal, it keeps the proceeds for refunds. */
export function pendingBehaviors(sale: PlacedBucket, now: bigint): SentBehavior[] {
  if (!kindOf(sale.kind).sale || !('endBehaviors' in sale)) return []
  const isMissed = hasMissed(sale, now)
  return sale.endBehaviors
    .filter(behavior => behavior.kind !== 'None')
    .filter(({ kind, processed }) => !processed && (kind === 'ReallocateBaseTokensOnFailure') === isMissed)
}

/** Only for a sale that has something to send: without proceeds, the program can't compute a price. */
const sendable = (sale: PlacedBucket, now: bigint): SentBehavior[] =>
  sale.quoteTokenBalance > 0n || hasMissed(sale, now) ? pendingBehaviors(sale, now) : []

/** Whether a sale has ended below its goal. While it is open, it can still reach it. */
export const hasMissed = (bucket: PlacedBucket, now: bigint): boolean =>
  hasEnded(bucket, now) && kindOf(bucket.kind).sale?.misses?.(bucket as never) === true

export function hasEnded(bucket: PlacedBucket, now: bigint): boolean {
  const { sale } = kindOf(bucket.kind)
  const conditions: Partial<Record<string, Condition>> = bucket.conditions
  return sale !== undefined && isMetNow(conditions[sale.end], now)
}

export const sentTo = (sale: PlacedBucket, bucket: Address, now: bigint): bigint =>
  pendingBehaviors(sale, now).reduce(
    (sum, behavior) =>
      behavior.kind === 'SendQuoteTokenPercentage' && behavior.bucket === bucket
        ? sum + percentage(sale.quoteTokenBalance, BigInt(behavior.percentageBps))
        : sum,
    0n,
  )
