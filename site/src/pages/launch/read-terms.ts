import { bucketsOfKind } from '@slipway/launch-model/addresses'
import { addressAt } from '@slipway/launch-model/bytes/base58'
import { Reader } from '@slipway/launch-model/bytes/codec'
import type { Condition } from '@slipway/launch-model/conditions'
import { BPS, FEE_TYPES, type Fee, totalBps } from '@slipway/launch-model/fees'
import { decodeGenesisData } from '@slipway/launch-model/genesis-account'
import type { BucketAccount, Deposits } from '@slipway/launch-model/kinds/bucket-kind'
import type { Behavior, ReleaseSchedule } from '@slipway/launch-model/kinds/bucket-parts'
import { BUCKET_KINDS, type BucketKindName, kindOf } from '@slipway/launch-model/kinds/kinds'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { clampTime, resolveLaunchTimes, resolveTime } from '@slipway/launch-model/launch-times'
import { type Address, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import { releasedOf } from '@slipway/launch-model/releases'
import { CONSTANT_PRODUCT, type CurveState } from '@slipway/launch-model/trade/curve'
import { fetchAccounts, WrongAnswer } from '../../lib/rpc.ts'

/** A part of the tokens, or of the money. */
export interface Term {
  /** From 0 to 1. */
  share: number
  text: string
  /** The wallet that gets it. */
  wallet?: string
}

/** Where the tokens and the money of a launch go, as its accounts say. */
export interface Terms {
  tokens: Term[]
  money: Term[]
  fees: FeeTerm[]
  /** Unknown if the mint can't be read, or has extensions, which may give others more rights. */
  rights?: TokenRights
  /** The creator's part of a trade on the curve. The protocol keeps the rest of the fees. */
  creatorFee?: number
  /** Whether it becomes a liquidity pool. */
  hasPool: boolean
  /** Whether the pool has neither a lock nor a wallet that can withdraw its liquidity. */
  isUnowned?: boolean
  /** The part of the launch that becomes the pool. */
  poolBucket?: Address
  /** When the sale was meant to end. The API names the moment at which the chain took note of it. */
  endsAt?: string
  /** Whether unsold tokens go to another part of the launch. Otherwise, they stay where they are. */
  rollsOver: boolean
  /** The most that a wallet can deposit, if the launch limits it. In the smallest unit, without fees. */
  limits?: DepositMax
  /** Whether withdrawals cost a penalty at times. */
  hasPenalty?: boolean
  /** If less is raised, everyone gets their funds back. In the smallest unit. */
  least?: string
  /** How what was sold is paid out, if not all at once. */
  payout?: Payout
  /** Whether it is not paid out at all. */
  neverPays?: boolean
  /** A curve's first buy, while it is reserved for a wallet. In the smallest unit. */
  firstBuy?: { buyer: string; amount: string }
  /** What a curve's price counts on top of its own tokens. In the smallest units. */
  virtualReserves?: { quote: string; base: string }
}

/** Who can create and freeze tokens. `launch` is the launch’s own account, for which no wallet signs. */
export interface TokenRights {
  minter: 'nobody' | 'launch' | Address
  freezer: 'nobody' | 'launch' | Address
}

export interface DepositMax {
  perWallet: string | undefined
  perDeposit: string | undefined
  /** What is taken from a deposit first. */
  fee: { type: number; amount: string }
}

interface Bucket {
  kind: BucketKindName
  address: Address
  account: BucketAccount &
    Charges &
    Partial<Curve> & { recipient?: Address; lpClaimAuthority?: Address; extensions?: Extensions }
}
type Curve = Pick<CurveState, 'bondingCurveType' | 'virtualReserves'>
interface Extensions {
  claimSchedule?: ReleaseSchedule
  lpLockSchedule?: ReleaseSchedule
  minimumQuoteTokenThreshold?: bigint
  firstBuy?: { buyer: Address; amount: bigint }
  firstBuyDone?: boolean
}

export async function readTerms(rpcUrl: string, address: string, signal: AbortSignal): Promise<Terms> {
  const genesis = address as Address
  const [data] = await fetchAccounts(rpcUrl, [genesis], signal)
  const launch = data && decodeGenesisData(data)
  if (typeof launch !== 'object') throw new WrongAnswer('the launch can’t be read')
  const places = BUCKET_KINDS.flatMap(kind =>
    bucketsOfKind(kind.name, genesis, launch.bucketCount).map(place => ({ kind, address: place })),
  )
  const [accounts, [mint]] = await Promise.all([
    fetchAccounts(
      rpcUrl,
      places.map(place => place.address),
      signal,
    ),
    fetchAccounts(rpcUrl, [launch.baseMint], signal, [TOKEN_PROGRAM, TOKEN_2022_PROGRAM]).catch(() => []),
  ])
  const buckets = places.flatMap(({ kind, address: place }, at): Bucket[] => {
    const bytes = accounts[at]
    const account = bytes?.[0] === kind.key && readAccount(kind, bytes)
    return account ? [{ kind: kind.name, address: place, account: account as never }] : []
  })
  const rights = mint && readRights(mint, genesis)
  const unread = launch.bucketCount - buckets.length
  return { ...describeTerms(buckets, launch.totalSupply, unread), ...(rights && { rights }) }
}

/** Undefined if it has another layout than this version knows. */
function readAccount({ layout }: (typeof BUCKET_KINDS)[number], bytes: Uint8Array) {
  try {
    return layout.read(new Reader(bytes))
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const MINT_BYTES = 82
/** Four bytes, of which the first is 1 if somebody has the right. Their address follows. */
const MINT_AUTHORITY_AT = 0
const FREEZE_AUTHORITY_AT = 46

export function readRights(mint: Uint8Array, genesis: Address): TokenRights | undefined {
  if (mint.length !== MINT_BYTES) return undefined
  const holderAt = (at: number) => {
    if (mint[at] !== 1) return 'nobody'
    const holder = addressAt(mint, at + 4)
    return holder === genesis ? 'launch' : holder
  }
  return { minter: holderAt(MINT_AUTHORITY_AT), freezer: holderAt(FREEZE_AUTHORITY_AT) }
}

/** `unread` is how many parts the launch has besides these. */
export function describeTerms(buckets: readonly Bucket[], supply: bigint, unread = 0): Terms {
  const shareOf = (part: bigint) => Number((part * 1_000_000n) / (supply || 1n)) / 1_000_000
  const tokens: Term[] = buckets
    .filter(({ account }) => account.baseTokenAllocation > 0n)
    .map(bucket => ({ share: shareOf(bucket.account.baseTokenAllocation), ...describeTokens(bucket) }))
  const known = buckets.reduce((sum, { account }) => sum + account.baseTokenAllocation, 0n)
  if (unread > 0 || known < supply)
    tokens.push({
      share: known < supply ? shareOf(supply - known) : 0,
      text: unread > 1 ? `in ${unread} parts that this version can’t read` : `in ${UNREAD_PART}`,
    })
  const sends = buckets.flatMap(({ account }) => (account.endBehaviors ?? []).filter(isShare))
  const firstBuy = buckets.flatMap(
    ({ account: { extensions = {} } }) => (!extensions.firstBuyDone && extensions.firstBuy) || [],
  )[0]
  const pool = buckets.find(({ kind }) => kind === 'raydiumCpmmV2')
  const { virtualReserves } =
    buckets.find(({ account }) => account.bondingCurveType === CONSTANT_PRODUCT)?.account ?? {}
  const least = buckets.flatMap(({ account }) => account.extensions?.minimumQuoteTokenThreshold ?? [])[0]
  const limits = buckets.flatMap(bucket => findLimits(bucket) ?? [])[0]
  const creatorFee = buckets.flatMap(
    ({ kind, account }) => (kind in SALES && creatorShareOf(account)) || [],
  )[0]
  return {
    tokens,
    money: sends.map(({ percentageBps, bucket }) => ({
      share: percentageBps / 10_000,
      ...describeDestination(buckets.find(({ address }) => address === bucket)),
    })),
    fees: buckets
      .filter(({ kind }) => kind in SALES)
      .flatMap(({ kind, account }) => describeFees(account, kind === 'bondingCurveV2')),
    ...(creatorFee && { creatorFee }),
    hasPool: pool !== undefined,
    ...(pool && { poolBucket: pool.address }),
    ...(pool && isUnowned(pool) && { isUnowned: true }),
    ...describeSale(buckets),
    ...(buckets.some(({ account }) => account.extensions?.withdrawPenalty) && { hasPenalty: true }),
    ...(limits && { limits }),
    ...(least && { least: `${least}` }),
    ...(firstBuy && { firstBuy: { buyer: firstBuy.buyer, amount: `${firstBuy.amount}` } }),
    ...(virtualReserves && {
      virtualReserves: { quote: `${virtualReserves.quote}`, base: `${virtualReserves.base}` },
    }),
  }
}

function findLimits({ kind, account }: Bucket): DepositMax | undefined {
  const deposits = kindOf(kind).deposits as unknown as Deposits<BucketAccount> | undefined
  const { maximum, perDeposit } = deposits?.limits(account, BigInt(Math.floor(Date.now() / 1_000))) ?? {}
  if (maximum === undefined && perDeposit === undefined) return undefined
  const { depositFeeType = FEE_TYPES.basisPoints, depositFee = 0n } = account
  return {
    perWallet: maximum === undefined ? undefined : `${maximum}`,
    perDeposit: perDeposit === undefined ? undefined : `${perDeposit}`,
    fee: { type: depositFeeType, amount: `${depositFee}` },
  }
}

/** When the sale was meant to end, and what happens to the tokens that it sold and did not sell. */
function describeSale(
  buckets: readonly Bucket[],
): Pick<Terms, 'endsAt' | 'rollsOver' | 'payout' | 'neverPays'> {
  const placed = buckets.map(({ kind, address, account }) => ({ ...account, kind, address })) as never
  const primary = resolveLaunchTimes(placed)?.primary
  const conditions: Partial<Record<string, Condition>> = primary?.conditions ?? {}
  const end = primary && conditions[kindOf(primary.kind).sale?.end ?? '']
  const sale = buckets.find(({ address }) => address === primary?.address)
  const { claimSchedule } = sale?.account.extensions ?? {}
  const payout = claimSchedule && describePayout(claimSchedule, condition => resolveTime(placed, condition))
  return {
    ...(end?.kind === 'TimeAbsolute' && {
      endsAt: new Date(clampTime(Number(end.time)) * 1_000).toISOString(),
    }),
    rollsOver: sale?.account.endBehaviors?.some(({ kind }) => kind === 'BaseTokenRollover') ?? false,
    ...(payout && { payout }),
    ...(claimSchedule && !payout && { neverPays: true }),
  }
}

const UNREAD_PART = 'a part that this version can’t read'

type Share = Extract<Behavior, { percentageBps: number }>
const isShare = (behavior: Behavior): behavior is Share => behavior.kind === 'SendQuoteTokenPercentage'

const SALES: Partial<Record<BucketKindName, string>> = {
  launchpoolV2: 'shared by everyone who deposits',
  presaleV2: 'sold at a fixed price',
  bondingCurveV2: 'sold on the bonding curve',
}

function describeTokens({ kind, account }: Bucket): Omit<Term, 'share'> {
  const { claimSchedule, lpLockSchedule } = account.extensions ?? {}
  if (account.recipient)
    return { text: `to a wallet, ${describeStart(account.conditions.ClaimStart)}`, wallet: account.recipient }
  if (kind === 'raydiumCpmmV2') return describeLiquidity(account.lpClaimAuthority, lpLockSchedule)
  const sale = SALES[kind] ?? `in the ${wordsOf(kind).noun}`
  return { text: claimSchedule ? `${sale}, ${describeRelease(claimSchedule, 'paid out')}` : sale }
}

const isUnowned = ({ account: { lpClaimAuthority, extensions } }: Bucket) =>
  !lpClaimAuthority && !extensions?.lpLockSchedule

function describeLiquidity(
  owner: Address | undefined,
  lock: ReleaseSchedule | undefined,
): Omit<Term, 'share'> {
  const isReleased = owner !== undefined && lock?.start.kind !== 'Never'
  const terms = lock
    ? `, ${describeRelease(lock, 'locked')}${isReleased ? ', to' : ''}`
    : isReleased
      ? '. After graduation, the liquidity can be withdrawn at any time by'
      : ''
  return { text: `into the liquidity pool${terms}`, ...(isReleased && { wallet: owner }) }
}

function describeStart(condition: Condition | undefined): string {
  if (condition?.kind === 'TimeAbsolute')
    return `from ${new Date(Number(condition.time) * 1_000).toISOString().slice(0, 10)} on`
  if (condition?.kind === 'TimeRelative')
    return condition.timeOffset > 0n
      ? `${formatSpan(Number(condition.timeOffset))} after the sale is over`
      : 'once the sale is over'
  return condition?.kind === 'Always' ? 'not locked' : 'when the launch allows it'
}

function describeDestination(bucket: Bucket | undefined): Omit<Term, 'share'> {
  if (bucket?.account.recipient) return { text: 'to a wallet', wallet: bucket.account.recipient }
  return {
    text: bucket ? `into the ${wordsOf(bucket.kind).noun}` : `to ${UNREAD_PART}`,
  }
}

/** What a bucket that sells says about its fees. */
interface Charges {
  depositFeeType?: number
  depositFee?: bigint
  withdrawFeeType?: number
  withdrawFee?: bigint
  claimFeeType?: number
  claimFee?: bigint
  extensions?: {
    creatorFee?: { feeType: number; fee: bigint }
    depositPenalty?: object
    withdrawPenalty?: object
  }
}

/** A fee as a share of an amount: `2% of each deposit`. */
interface FeeTerm {
  share: number
  text: string
  /** What it is taken from. On a curve, buying is paying and selling is leaving. */
  on: 'paying' | 'leaving' | 'claiming'
}

/** What taking part costs. Flat fees are left to the form, which shows them with the amount. */
function describeFees(charges: Charges, isTraded: boolean): FeeTerm[] {
  const { depositPenalty, withdrawPenalty } = charges.extensions ?? {}
  const creator = creatorFeeOf(charges)
  const paid = feeOf(charges.depositFeeType, charges.depositFee)
  const withdrawn = feeOf(charges.withdrawFeeType, charges.withdrawFee)
  const fees: [FeeTerm['on'], Fee[], string][] = isTraded
    ? [
        ['paying', [...paid, ...creator], 'of each purchase'],
        ['leaving', [...withdrawn, ...creator], 'of each sale'],
      ]
    : [
        ['paying', paid, `of each deposit${depositPenalty ? ', and a penalty' : ''}`],
        ['leaving', withdrawn, `of each withdrawal${withdrawPenalty ? ', and a penalty' : ''}`],
        ['claiming', feeOf(charges.claimFeeType, charges.claimFee), 'of each claim'],
      ]
  return fees.flatMap(([on, parts, text]) => {
    const share = shareOf(parts)
    return share > 0 ? [{ share, text, on }] : []
  })
}

/** The creator's part of each trade. */
const creatorShareOf = (charges: Charges): number => shareOf(creatorFeeOf(charges))

const creatorFeeOf = ({ extensions: { creatorFee } = {} }: Charges): Fee[] =>
  creatorFee ? [{ type: creatorFee.feeType, amount: creatorFee.fee }] : []

const shareOf = (fees: readonly Fee[]): number => Number(totalBps(fees)) / Number(BPS)

const feeOf = (type = FEE_TYPES.basisPoints as number, amount = 0n): Fee[] => [{ type, amount }]

/** How something is let go of over time: `paid out over 6 months, 10 % at once`. */
function describeRelease(
  { start, duration, cliffAmountBps }: ReleaseSchedule,
  word: 'locked' | 'paid out',
): string {
  if (start.kind === 'Never') return word === 'locked' ? 'locked for good' : 'never paid out'
  const first = cliffAmountBps > 0 ? `, ${cliffAmountBps / 100}% of it at first` : ''
  return word === 'locked'
    ? `locked, and released over ${formatSpan(Number(duration))}${first}`
    : `paid out over ${formatSpan(Number(duration))}${first}`
}

const DAY = 86_400
const SPANS: [seconds: number, name: string][] = [
  [365 * DAY, 'year'],
  [30 * DAY, 'month'],
  [DAY, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
]

/** 364 days are called a year. */
const ALMOST = 0.97

/** `1 year`, `6 months`, `10 days`: the largest unit of which there is at least one, rounded. */
function formatSpan(seconds: number): string {
  const [unit, name] = SPANS.find(([size]) => seconds >= ALMOST * size) ?? [1, 'second']
  const count = Math.round((seconds / unit) * 10) / 10
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/** How what was sold is paid out over time. A time is absent if it isn't known yet. */
export interface Payout {
  /** The part that is paid out at once, from 0 to 1. */
  firstShare: number
  firstAt: string | undefined
  endsAt: string | undefined
  /** Which part has been paid out by then, from 0 to 1. */
  shareAt(nowMs: number): number
}

/** Undefined if nothing is ever paid out. `timeOf` says when a condition is or was met, in Unix seconds. */
export function describePayout(
  schedule: ReleaseSchedule,
  timeOf: (condition: Condition) => number | undefined,
): Payout | undefined {
  const { start, cliff, duration, cliffAmountBps } = schedule
  if (start.kind === 'Never') return undefined
  const [startTime, cliffTime] = [timeOf(start), timeOf(cliff)]
  return {
    firstShare: cliffAmountBps / 10_000,
    firstAt: toTime(cliffTime),
    endsAt: toTime(startTime === undefined ? undefined : startTime + Number(duration)),
    shareAt(nowMs) {
      const now = Math.floor(nowMs / 1_000)
      // The chain records a condition when someone claims. What is due counts as paid out before that too.
      const metBy = (time: number | undefined): Condition => ({
        kind: 'Always',
        ...(time !== undefined && time <= now && { triggeredTimestamp: BigInt(time) }),
      })
      const period = schedule.period || 1n
      const due = { ...schedule, period, start: metBy(startTime), cliff: metBy(cliffTime) }
      return Number(releasedOf(due, WHOLE, BigInt(now))) / Number(WHOLE)
    },
  }
}

const WHOLE = 1_000_000n

const toTime = (seconds: number | undefined) =>
  seconds === undefined ? undefined : new Date(clampTime(seconds) * 1_000).toISOString()
