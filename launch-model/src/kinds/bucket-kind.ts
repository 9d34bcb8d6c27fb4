import type { Address } from '@slipway/schema/address'
import type { Moment, Refusals } from '../actions.ts'
import { type Codec, type Struct, struct, u64, zeros } from '../bytes/codec.ts'
import type { CallKind } from '../call.ts'
import type { BucketTime, Condition } from '../conditions.ts'
import type { DepositCost, DepositLimits, PoolDeposit, PresaleDeposit } from '../deposits.ts'
import type { Order, QuoteRefusal, Trade } from '../trade/trade.ts'
import type { Behavior, BucketBase, ReleaseSchedule } from './bucket-parts.ts'
import type { Words } from './words.ts'

/** Everything that differs from one kind of bucket to another. Other code asks this, and knows no kind by name. */
export interface BucketKind<Name extends string = string, Account extends BucketAccount = BucketAccount> {
  /** As the API has it. */
  readonly name: Name
  /** What the conditions of a new launch call it. */
  readonly type: string
  /** The first byte of its accounts. */
  readonly key: number
  /** Its addresses are derived from this text, the launch, and an index that counts from 0. */
  readonly seed: string
  readonly layout: Codec<Account> & Pick<Struct<Record<'genesis', unknown>>, 'offsetOf'>
  readonly words: Words
  /** Only of kinds that sell tokens. Such a bucket gives a launch its mechanic and times. */
  readonly sale?: Sale<Account>
  /** Where the wallet of the creator is in the account, of kinds that pay one. */
  readonly creatorFeeAt?: number
  /** What a claim of the creator's fees depends on, of kinds that pay them. */
  readonly reward?: Codec<RewardAccount>
  /** How a new launch gets such a bucket, of kinds that it can have. */
  readonly creation?: Creation
  /** Of kinds that take deposits. */
  readonly deposits?: Deposits<Account>
  /** Whether such a bucket becomes a pool, and then trades. */
  readonly hasPool?: (account: Account) => boolean
}

export interface RewardAccount extends Pick<BucketBase, 'genesis' | 'baseMint' | 'quoteMint'> {
  creatorFeeAccrued: bigint
  creatorFeeClaimed: bigint
  extensions: { creatorFee?: { wallet: Address } | undefined }
}

export interface BucketAccount extends BucketBase {
  conditions: Partial<Record<BucketTime, Condition>>
  endBehaviors?: Behavior[]
}

export type SaleRefusals = Omit<Refusals, 'graduate'>

interface Sale<Account> {
  start: BucketTime
  end: BucketTime
  /** Whether it has missed a goal without which depositors get their funds back. Final once the sale has ended. */
  misses?(account: Account): boolean
  /** What can be done now, before the launch has graduated. */
  actions(account: Account, moment: Moment): SaleRefusals
  /** What a trade would give now, of kinds that trade. */
  quote?(account: Account, order: Order, wallet?: Address): Trade | QuoteRefusal
  figures(account: Account): SaleFigures
  /** Its goal in quote tokens: the least that it must raise, or its cap. */
  goal(account: Account): bigint | undefined
}

/** A deposit of any kind. Only those of a launch pool can be refunded, and have a weight of their own. */
export type Deposit = PresaleDeposit & Partial<Pick<PoolDeposit, 'refunded' | 'weighted'>>

/** How deposits are made and paid out: each wallet has one account per bucket. `now` is in Unix seconds. */
export interface Deposits<Account> {
  /** The first byte of its accounts. */
  key: number
  /** Its address is derived from this text, the bucket, and the wallet that it belongs to. */
  seed: string
  layout: Codec<Deposit>
  cost(account: Account, amount: bigint, now: bigint): DepositCost
  limits(account: Account, now: bigint): DepositLimits
  /** What a withdrawal pays out, of kinds that have them. */
  paidOut?(account: Account, amount: bigint, now: bigint): { receives: bigint }
  /** The base tokens that a deposit is entitled to if the sale ended now. */
  entitled(account: Account, deposit: Deposit): bigint
  /** The share of the sale that a deposit has. */
  share(account: Account, deposit: Deposit): { part: bigint; whole: bigint }
  schedule(account: Account): ReleaseSchedule | undefined
  calls: { deposit: AmountCall; withdraw?: AmountCall; claim: CallKind; refund?: CallKind }
  /** The token that the fee of a claim is in. */
  claimFeeIn: 'base' | 'quote'
}
type AmountCall = CallKind<string, { amount: bigint }>

/**
 * How a sale is doing, from its account alone. Amounts are in the smallest unit; undefined where the chain is silent.
 */
export interface SaleFigures {
  /** Quote tokens that the sale holds for what it has sold. */
  raised: bigint
  /** Base tokens that the deposits and purchases so far are entitled to. */
  sold: bigint
  /** Base tokens that the sale offers. */
  supply: bigint
  price: Ratio | undefined
  /** Millionths of the way to the goal, the cap or sell-out, rounded down. */
  progress: number | undefined
  participants: bigint | undefined
}

/** The instructions that create a bucket. Their arguments have the names of the account's fields. */
export interface Creation {
  add: CallKind
  extend?: CallKind
  /** The extensions that a new launch can have. */
  extensions: readonly string[]
  setBehaviors?: CallKind
  /** Whether the extensions must be added in the transaction that adds the bucket. */
  isOpenAtOnce?: boolean
}

/** Quote tokens per base token, both in the smallest unit and above zero. */
export interface Ratio {
  quote: bigint
  base: bigint
}

export const ratio = (quote: bigint, base: bigint): Ratio | undefined =>
  quote > 0n && base > 0n ? { quote, base } : undefined

const MILLION = 1_000_000n

/** Millionths of the whole, rounded down; undefined if there is no whole. */
export const shareOf = (part: bigint, whole: bigint | undefined): number | undefined =>
  whole === undefined || whole === 0n ? undefined : Number((min(part, whole) * MILLION) / whole)

/** The data of an instruction about an amount of quote tokens, and of one that is about everything. */
export const amountData = struct({ _padding: zeros(7), amount: u64 })
export const plainData = struct({ _padding: zeros(7) })

export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
