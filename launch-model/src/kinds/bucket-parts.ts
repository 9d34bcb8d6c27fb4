import type { Address } from '@slipway/schema/address'
import {
  address,
  array,
  bool,
  type Codec,
  type Decoded,
  i64,
  list,
  optional,
  type Reader,
  reserved,
  strictBool,
  struct,
  u8,
  u16,
  u32,
  u64,
  type Writer,
  zeros,
} from '../bytes/codec.ts'
import {
  ABSENT_CONDITION,
  type Condition,
  condition,
  isAbsentCondition,
  strictCondition,
} from '../conditions.ts'

const isZero = (bytes: Uint8Array): boolean => bytes.every(byte => byte === 0)
const isFull = (bytes: Uint8Array): boolean => bytes.every(byte => byte === 255)

/** A part that is all zeros in a bucket that lacks it. */
const zeroedOr = <T>(codec: Codec<T>) =>
  optional(codec, { is: isZero, bytes: new Uint8Array(codec.size ?? 0) })
/** An amount that is 2^64 - 1 in a bucket that lacks it. */
export const optionalAmount = optional(u64, { is: isFull, bytes: new Uint8Array(8).fill(255) })
export const optionalAddress = zeroedOr(address)

/** The fields that all kinds share, in the same order. */
export const BUCKET_BASE = {
  bump: u8,
  bucketIndex: u8,
  feeType: u8,
  _base: reserved(5),
  genesis: address,
  baseTokenAllocation: u64,
  baseTokenBalance: u64,
  quoteTokenBalance: u64,
  fee: u64,
  /** Old buckets have neither mint. */
  baseMint: optionalAddress,
  quoteMint: optionalAddress,
  _baseEnd: reserved(64),
} as const
const base = struct(BUCKET_BASE)
export type BucketBase = Decoded<typeof base>

/** A straight line over the time from its start: `intercept + slope × time`, all in basis points. */
export interface Schedule {
  slopeBps: bigint
  interceptBps: bigint
  maxBps: bigint
  start: Condition
  duration: bigint
}

const scheduleWith = (start: Codec<Condition>, unused: (size: number) => Codec<undefined>) =>
  struct({ slopeBps: i64, interceptBps: i64, maxBps: u64, start, duration: i64, _unused: unused(64) })
const schedule = scheduleWith(condition, reserved)
export const strictSchedule = scheduleWith(strictCondition, zeros)
const CONDITION_OF_SCHEDULE = schedule.offsetOf('start')

/** A bucket without it has an absent condition there. */
export const optionalSchedule = optional<Schedule>(schedule, {
  is: bytes => isAbsentCondition(bytes.subarray(CONDITION_OF_SCHEDULE)),
  bytes: placed(ABSENT_CONDITION, CONDITION_OF_SCHEDULE, schedule.size as number),
})

function placed(part: Uint8Array, at: number, size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  bytes.set(part, at)
  return bytes
}

/** How something is released over time. */
export interface ReleaseSchedule {
  start: Condition
  duration: bigint
  period: bigint
  cliff: Condition
  cliffAmountBps: number
}

const releaseWith = (one: Codec<Condition>, unused: (size: number) => Codec<undefined>) =>
  struct({ start: one, duration: u64, period: u64, cliff: one, cliffAmountBps: u16, _unused: unused(126) })
const release = releaseWith(condition, reserved)
export const strictRelease = releaseWith(strictCondition, zeros)

const ABSENT_RELEASE = placed(ABSENT_CONDITION, 0, release.size as number)
ABSENT_RELEASE.set(ABSENT_CONDITION, release.offsetOf('cliff'))
export const optionalRelease = optional<ReleaseSchedule>(release, {
  is: isAbsentCondition,
  bytes: ABSENT_RELEASE,
})

export const optionalCreatorFee = zeroedOr(
  struct({ wallet: address, feeType: u8, _creatorFee: reserved(7), fee: u64 }),
)

/**
 * The transaction that creates a curve reserves it. While it is pending, only the buyer can trade. It is free of
 * fees.
 */
export interface FirstBuy {
  buyer: Address
  amount: bigint
}
export const firstBuy = struct({ buyer: address, amount: u64 })
export const optionalFirstBuy = zeroedOr<FirstBuy>(firstBuy)

export const optionalAllowlist = zeroedOr(
  struct({
    enabled: bool,
    merkleTreeHeight: u8,
    quoteCapReached: bool,
    _allowlist: reserved(5),
    merkleRoot: array(u8, 32),
    endTime: i64,
    quoteCap: u64,
    quoteDepositTotal: u64,
  }),
)

/** Whether only wallets on the list may deposit: until its time is over or its part of the deposits is full. */
export const isListOnly = (
  allowlist: { enabled: boolean; quoteCapReached: boolean; endTime: bigint } | undefined,
  nowSeconds: number,
): boolean =>
  allowlist?.enabled === true && !allowlist.quoteCapReached && BigInt(nowSeconds) <= allowlist.endTime

/** What is done with the proceeds of a bucket when it ends. */
export type Behavior = { processed: boolean } & (
  | { kind: 'None' }
  /** Without a start price, a pool has no price to open at, and the launch can never graduate. */
  | { kind: 'SendStartPrice'; bucket: Address }
  | {
      kind: 'SendQuoteTokenPercentage' | 'BaseTokenRollover' | 'ReallocateBaseTokensOnFailure'
      percentageBps: number
      bucket: Address
    }
)
/** In the order of their numbers on the chain. */
const BEHAVIOR_KINDS = [
  'None',
  'SendQuoteTokenPercentage',
  'BaseTokenRollover',
  'SendStartPrice',
  'ReallocateBaseTokensOnFailure',
] as const

const behaviorWith = (
  processed: Codec<boolean>,
  unused: (size: number) => Codec<undefined>,
): Codec<Behavior> => {
  const nothing = struct({ processed, _unused: unused(38) })
  const price = struct({ processed, _unused: unused(6), bucket: address })
  const share = struct({ processed, percentageBps: u16, _unused: unused(4), bucket: address })
  return {
    size: 40,
    read(from: Reader) {
      const kind = BEHAVIOR_KINDS[u8.read(from)]
      if (!kind) throw new RangeError('has an unknown kind of behavior')
      if (kind === 'None') return { kind, ...nothing.read(from) }
      return kind === 'SendStartPrice' ? { kind, ...price.read(from) } : { kind, ...share.read(from) }
    },
    write(value: Behavior, to: Writer) {
      u8.write(BEHAVIOR_KINDS.indexOf(value.kind), to)
      if (value.kind === 'None') nothing.write(value, to)
      else if (value.kind === 'SendStartPrice') price.write(value, to)
      else share.write(value, to)
    },
  }
}
export const behavior = behaviorWith(bool, reserved)
const strictBehavior = behaviorWith(strictBool, zeros)

/** How the instructions that add a bucket begin, after their number. */
export const ADDED_BUCKET = { bucketIndex: u8, _added: zeros(6), baseTokenAllocation: u64 } as const

/** Extensions in an instruction: a list, each with its number in front. Every kind of bucket has numbers of its own. */
export function extensionList<const Table extends Record<string, readonly [number: number, Codec<unknown>]>>(
  table: Table,
): Codec<{ [Name in keyof Table]?: Table[Name][1] extends Codec<infer T> ? T | undefined : never }> {
  const entries = Object.entries(table) as [string, readonly [number, Codec<unknown>]][]
  return {
    size: undefined,
    read(from) {
      listHead.read(from)
      const value: Record<string, unknown> = {}
      for (let left = u32.read(from); left > 0; left--) {
        const number = u8.read(from)
        const [name, [, codec]] = entries.find(([, entry]) => entry[0] === number) ?? unknownExtension()
        if (name in value) throw new RangeError('has an extension twice')
        value[name] = codec.read(from)
      }
      return value as never
    },
    write(value, to) {
      const given = value as Record<string, unknown>
      const present = entries.filter(([name]) => given[name] !== undefined)
      listHead.write(undefined, to)
      u32.write(present.length, to)
      for (const [name, [number, codec]] of present) {
        u8.write(number, to)
        codec.write(given[name], to)
      }
    },
  }
}
const listHead = zeros(3)
const unknownExtension = (): never => {
  throw new RangeError('has an unknown extension')
}

/** The data of an instruction that sets what is done with the proceeds. */
export const behaviorList = struct({ _list: zeros(3), endBehaviors: list(strictBehavior) })
