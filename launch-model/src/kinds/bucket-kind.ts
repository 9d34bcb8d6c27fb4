import type { Address } from '@slipway/schema/address'
import type { Moment, Permissions } from '../actions.ts'
import type { Codec, Struct } from '../bytes/codec.ts'
import type { CallKind } from '../call.ts'
import type { BucketTime, Condition } from '../conditions.ts'
import type { DepositKind } from '../deposits.ts'
import type { Order, QuoteRefusal, Trade } from '../trade/trade.ts'
import type { Behaviour, BucketBase } from './bucket-parts.ts'
import type { Words } from './words.ts'

/** Everything that differs from one kind of bucket to another. Other code asks this, and knows no kind by name. */
export interface BucketKind<Name extends string = string, Account extends BucketAccount = BucketAccount> {
  /** As the API has it. */
  readonly name: Name
  /** What the conditions of a new launch call it. */
  readonly type: string
  /** The first byte of its accounts. */
  readonly key: number
  /** Its addresses follow from this text, the launch, and an index that counts from 0. */
  readonly seed: string
  readonly layout: Codec<Account> & Pick<Struct<Record<'genesis', unknown>>, 'offsetOf'>
  readonly words: Words
  /** Only of kinds that sell tokens. Such a bucket gives a launch its mechanic and times. */
  readonly sale?: Sale<Account>
  /** Where the wallet of the creator is in the account, of kinds that pay one. */
  readonly creatorFeeAt?: number
  /** How a new launch gets such a bucket, of kinds that it can have. */
  readonly creation?: Creation
  /** Where deposits are kept, of kinds that take them. */
  readonly deposits?: DepositKind
  /** Whether such a bucket becomes a pool, and then trades. */
  readonly hasPool?: (account: Account) => boolean
}

export interface BucketAccount extends BucketBase {
  conditions: Partial<Record<BucketTime, Condition>>
  endBehaviours?: Behaviour[]
}

export type SalePermissions = Omit<Permissions, 'graduate'>

interface Sale<Account> {
  start: BucketTime
  end: BucketTime
  /** Whether it has missed a goal without which depositors get their funds back. Final once the sale has ended. */
  misses?(account: Account): boolean
  /** What can be done now, before the launch has graduated. */
  actions(account: Account, moment: Moment): SalePermissions
  /** What a trade would give now, of kinds that trade. */
  quote?(account: Account, order: Order, wallet?: Address): Trade | QuoteRefusal
  figures(account: Account): SaleFigures
  /** What it aims for in quote tokens: the least that it must raise, or its cap. */
  goal(account: Account): bigint | undefined
}

/** How a sale is doing, from its account alone. Amounts are in the smallest unit; undefined where the chain is silent. */
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

/** The instructions that create a bucket. What they say has the names that the account has for it. */
export interface Creation {
  add: CallKind
  extend?: CallKind
  /** The extensions that a new launch can have. */
  extensions: readonly string[]
  setBehaviours?: CallKind
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

export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
