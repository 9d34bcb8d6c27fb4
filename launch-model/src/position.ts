import type { Refusal, Refusals } from './actions.ts'
import type { Condition } from './conditions.ts'
import { endTriggers, hasEnded, hasMissed, pendingBehaviors, sentTo } from './end-of-sale.ts'
import { feeOn } from './fees.ts'
import type { Deposit } from './kinds/bucket-kind.ts'
import { kindOf } from './kinds/kinds.ts'
import { resolveRefusals } from './launch-actions.ts'
import { resolveLaunchTimes, resolveTime } from './launch-times.ts'
import { nextRelease } from './next-release.ts'
import {
  type AnyBucket,
  conditionsOf,
  type NamedBucket,
  type PlacedBucket,
  type PositionAccounts,
  type Trigger,
  type UnlockedBucket,
} from './position-accounts.ts'
import { releasedOf } from './releases.ts'
import { isMetNow, type RelativeCondition, recordDue } from './triggers.ts'

/** Something that a launch owes a wallet now. */
export interface Owed {
  /**
   * `start` pays nothing yet. It records that claims or their schedule have begun, because nothing is paid before
   * that.
   */
  kind: 'claim' | 'refund' | 'unlocked' | 'start'
  bucket: NamedBucket
  tokens: bigint
  quote: bigint
  /** The triggers that must run first and have not been sent yet. */
  triggers: Trigger[]
}

/** What a wallet has in a launch and can do now. */
export interface Position extends PositionAccounts {
  /** What the wallet can't do, even if the triggers that are needed run first. */
  refusals: Refusals
  /** The trigger that records what is due in the primary bucket. Undefined if deposits are refused even after it. */
  trigger: Trigger | undefined
  /** Whether deposits are possible only after the trigger. */
  needsTrigger: boolean
  /** The bucket that deposits go to, if the launch takes any, and the wallet's deposit in it. */
  primary: PlacedBucket | undefined
  /** The same bucket once everything that is due is recorded. */
  recorded: PlacedBucket | undefined
  deposit: Deposit | undefined
  owed: Owed[]
  /** When more can be claimed, if that is known. */
  nextClaim: bigint | undefined
}

export function resolvePosition(accounts: PositionAccounts): Position {
  const { buckets, unlocked, nowSeconds, wallet, deposits } = accounts
  const now = BigInt(nowSeconds)
  const isMet = (condition: Condition | undefined) => isMetNow(condition, now)
  const recorded = recordDue<AnyBucket>([...buckets, ...unlocked], now)
  const afterwards = recorded.filter(bucket => bucket.kind !== 'unlockedV2')
  const primary = resolveLaunchTimes(buckets)?.primary
  const deposit = primary && deposits.get(primary.address)
  const refusalsIn = (given: readonly PlacedBucket[]) =>
    resolveRefusals(given, nowSeconds, { wallet, deposit }, isMet) ?? NOTHING
  const [asItIs, recordedFirst] = [refusalsIn(buckets), refusalsIn(afterwards)]
  const needsTrigger = asItIs.deposit !== undefined && recordedFirst.deposit === undefined
  const owed = listOwed(accounts, recorded)
  const isMissed = primary !== undefined && hasMissed(primary, now)
  const nextDeposit = earliest(
    afterwards.map(bucket => findNextClaim(recorded, bucket, deposits.get(bucket.address), now)),
  )
  const nextUnlocked = earliest(
    recorded
      .filter(bucket => bucket.kind === 'unlockedV2')
      .map(bucket => (bucket.recipient === wallet ? findNextUnlocked(recorded, bucket, now) : undefined)),
  )
  const nextClaim = earliest([nextDeposit, nextUnlocked])
  const reason = reasonOf(recordedFirst, deposit, isMissed)
  const waits = reason === 'NOTHING_TO_CLAIM' && nextUnlocked !== undefined && nextClaim === nextUnlocked
  return {
    ...accounts,
    refusals: {
      ...asItIs,
      ...(needsTrigger && { deposit: undefined }),
      claim: owed.length > 0 ? undefined : waits ? 'CLAIMS_NOT_STARTED' : reason,
      graduate: asItIs.graduate && recordedFirst.graduate,
    },
    trigger: primary && recordedFirst.deposit === undefined ? conditionsOf(accounts, primary) : undefined,
    needsTrigger,
    primary,
    recorded: afterwards.find(({ address }) => address === primary?.address),
    deposit,
    owed,
    nextClaim,
  }
}

/** The refusals of a launch that sells nothing. */
const NOTHING: Refusals = {
  buy: 'NOT_PRICED',
  sell: 'NOT_PRICED',
  deposit: 'TRADES',
  withdraw: 'TRADES',
  claim: 'NOTHING_TO_CLAIM',
  refund: 'NO_REFUND',
  graduate: 'NO_POOL',
}

/**
 * Why nothing can be claimed. A launch without a pool, or one that missed its goal, never graduates, so there is
 * nothing to wait for.
 */
function reasonOf(
  { claim = 'NOTHING_TO_CLAIM', graduate }: Refusals,
  deposit: Deposit | undefined,
  isMissed: boolean,
): Refusal {
  if (deposit?.claimed || deposit?.refunded) return 'NOTHING_TO_CLAIM'
  if (claim !== 'NOT_GRADUATED' || graduate !== 'NO_POOL') return claim
  return isMissed ? 'NOTHING_TO_CLAIM' : 'CLAIMS_NOT_STARTED'
}

const earliest = (times: readonly (bigint | undefined)[]): bigint | undefined =>
  times
    .filter(time => time !== undefined)
    .reduce<bigint | undefined>((a, b) => (a !== undefined && a < b ? a : b), undefined)

/** Whether a deposit is never paid again. */
const isOver = (bucket: PlacedBucket, deposit: Deposit, now: bigint): boolean => {
  const { ClaimEnd }: Partial<Record<string, Condition>> = bucket.conditions
  return deposit.claimed || deposit.refunded === true || hasMissed(bucket, now) || isMetNow(ClaimEnd, now)
}

function findNextClaim(
  buckets: readonly AnyBucket[],
  bucket: PlacedBucket,
  deposit: Deposit | undefined,
  now: bigint,
): bigint | undefined {
  if (!deposit || isOver(bucket, deposit, now)) return undefined
  const { ClaimStart }: Partial<Record<string, Condition>> = bucket.conditions
  if (!isMetNow(ClaimStart, now)) return timeAhead(buckets, ClaimStart, now)
  return nextRelease(kindOf(bucket.kind).deposits?.schedule(bucket as never), now)
}

/**
 * When the recipient of an unlocked bucket can claim: once claims have started, and every sale that pays into it has
 * ended.
 */
function findNextUnlocked(
  buckets: readonly AnyBucket[],
  { address, claimed, conditions: { ClaimStart, ClaimEnd } }: UnlockedBucket,
  now: bigint,
): bigint | undefined {
  if (claimed || isMetNow(ClaimEnd, now)) return undefined
  const ends = buckets
    .filter(bucket => bucket.kind !== 'unlockedV2')
    .filter(sale => pendingBehaviors(sale, now).some(({ bucket }) => bucket === address))
    .map(sale => (sale.conditions as Partial<Record<string, Condition>>)[kindOf(sale.kind).sale?.end ?? ''])
  const open = [ClaimStart, ...ends].filter(condition => !isMetNow(condition, now))
  const times = open.map(condition => timeAhead(buckets, condition, now))
  return times.reduce((a, b) => (a === undefined || b === undefined ? undefined : a > b ? a : b), times[0])
}

function timeAhead(
  buckets: readonly AnyBucket[],
  condition: Condition | undefined,
  now: bigint,
): bigint | undefined {
  const time = resolveTime(buckets as readonly PlacedBucket[], condition)
  return time === undefined || BigInt(time) <= now ? undefined : BigInt(time)
}

/** Everything that the launch owes the wallet, bucket by bucket. */
function listOwed(accounts: PositionAccounts, recorded: readonly AnyBucket[]): Owed[] {
  const after = <B extends AnyBucket>(bucket: B) =>
    (recorded.find(({ address }) => address === bucket.address) ?? bucket) as B
  return [
    ...accounts.buckets.map(bucket => owedForDeposit(accounts, bucket, after(bucket), recorded)),
    ...accounts.unlocked.map(bucket => owedToRecipient(accounts, bucket, after(bucket), after)),
  ].filter(owed => owed !== undefined)
}

function owedForDeposit(
  accounts: PositionAccounts,
  bucket: PlacedBucket,
  recorded: PlacedBucket,
  all: readonly AnyBucket[],
): Owed | undefined {
  const deposit = accounts.deposits.get(bucket.address)
  if (!deposit) return undefined
  const now = BigInt(accounts.nowSeconds)
  const before = payable(accounts, bucket, deposit)
  const found = payable(accounts, recorded, deposit)
  const named = { kind: bucket.kind, address: bucket.address }
  if (before && before.tokens >= (found?.tokens ?? 0n) && before.tokens + before.quote > 0n)
    return { ...before, bucket: named, triggers: [] }
  const isPaid = found !== undefined && found.tokens + found.quote > 0n
  if (!isPaid && (isOver(recorded, deposit, now) || !startsClaims(accounts, bucket, all))) return undefined
  const owed = isPaid ? found : { kind: 'start' as const, tokens: 0n, quote: 0n }
  return { ...owed, bucket: named, triggers: [conditionsOf(accounts, bucket)] }
}

/** What the program would pay for a deposit now; undefined if it would refuse. */
function payable(
  { wallet, nowSeconds }: PositionAccounts,
  bucket: PlacedBucket,
  deposit: Deposit,
): Pick<Owed, 'kind' | 'tokens' | 'quote'> | undefined {
  const { sale, deposits } = kindOf(bucket.kind)
  const now = BigInt(nowSeconds)
  const isMet = (condition: Condition | undefined) => isMetNow(condition, now)
  const allowed = sale?.actions(bucket as never, { wallet, deposit, isMet, nowSeconds })
  if (!allowed || !deposits) return undefined
  if (!allowed.refund) return { kind: 'refund', tokens: 0n, quote: deposit.amount }
  if (allowed.claim) return undefined
  const entitled = deposits.entitled(bucket as never, deposit)
  const tokens = releasedOf(deposits.schedule(bucket as never), entitled, now) - deposit.amountClaimed
  return { kind: 'claim', tokens: tokens > 0n ? tokens : 0n, quote: 0n }
}

/** Whether a trigger would record a time that claims wait for. */
function startsClaims(
  accounts: PositionAccounts,
  bucket: PlacedBucket,
  recorded: readonly AnyBucket[],
): boolean {
  const { deposits } = kindOf(bucket.kind)
  if (!deposits) return false
  const conditions: Partial<Record<string, Condition>> = bucket.conditions
  const schedule = deposits.schedule(bucket as never)
  const before = [...accounts.buckets, ...accounts.unlocked]
  const timeIn = (given: readonly AnyBucket[], { bucket: address, bucketTime }: RelativeCondition) => {
    const found: Partial<Record<string, Condition>> | undefined = given.find(
      one => one.address === address,
    )?.conditions
    return found?.[bucketTime]?.triggeredTimestamp
  }
  const cliff = schedule && schedule.cliffAmountBps > 0 ? schedule.cliff : undefined
  return [conditions.ClaimStart, schedule?.start, cliff].some(condition => {
    if (!condition || (condition.triggeredTimestamp ?? 0n) > 0n) return false
    if (condition.kind === 'TimeRelative') return timeIn(before, condition) !== timeIn(recorded, condition)
    const isDue = condition.kind === 'TimeAbsolute' && condition.time <= BigInt(accounts.nowSeconds)
    // For the start of claims, the program looks at the clock itself.
    return isDue && condition !== conditions.ClaimStart
  })
}

/** The tokens and proceeds that an unlocked bucket owes its recipient. */
function owedToRecipient(
  accounts: PositionAccounts,
  bucket: UnlockedBucket,
  recorded: UnlockedBucket,
  after: <B extends AnyBucket>(bucket: B) => B,
): Owed | undefined {
  const now = BigInt(accounts.nowSeconds)
  if (bucket.recipient !== accounts.wallet || bucket.claimed || bucket.extensions.backendSigner)
    return undefined
  const { ClaimStart, ClaimEnd } = bucket.conditions
  const isOpen = isMetNow(ClaimStart, now)
  if ((!isOpen && !isMetNow(recorded.conditions.ClaimStart, now)) || isMetNow(ClaimEnd, now)) return undefined
  const sales = accounts.buckets.filter(sale =>
    pendingBehaviors(after(sale), now).some(({ bucket: to }) => to === bucket.address),
  )
  // A claim closes the bucket's token account. The sale could then never send its proceeds, and the launch could
  // never graduate.
  if (sales.some(sale => !hasEnded(after(sale), now))) return undefined
  const proceeds = sales.reduce(
    (sum, sale) => sum + sentTo(after(sale), bucket.address, now),
    bucket.quoteTokenBalance,
  )
  const quote = proceeds - feeOn(proceeds, { type: bucket.claimFeeType, amount: bucket.claimFee })
  const tokens = bucket.baseTokenBalance
  if (tokens + quote === 0n) return undefined
  return {
    kind: 'unlocked',
    bucket: { kind: bucket.kind, address: bucket.address },
    tokens,
    quote,
    triggers: [
      ...sales.flatMap(sale => endTriggers(accounts, sale, after(sale))),
      ...(isOpen ? [] : [conditionsOf(accounts, bucket)]),
    ],
  }
}
