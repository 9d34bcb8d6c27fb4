import type { Address } from '@slipway/schema/address'
import { addressBytes } from '../../addresses/base58.ts'
import { u32, u64 } from '../encode-fields.ts'
import { layoutOf } from './bucket-fields.ts'
import { encodeBehaviour, encodeLock, encodeSchedule } from './encode-launch.ts'
import { type Field, type Written, writtenCondition } from './evidence.ts'
import type {
  BondingCurvePlan,
  LaunchPlan,
  LaunchPoolPlan,
  LockSchedule,
  RaydiumPlan,
  Schedule,
} from './launch-plan.ts'

/** An extension that a bucket can have: its place in the account, and its data for the instruction if it is planned. */
export interface Extension extends Field {
  data: Uint8Array | undefined
}

/** Offsets in the accounts of buckets. */
const WITHDRAW_PENALTY = 864
const BONUS = 1024
const FIRST_BUY = 528
const QUOTE_THRESHOLD = 1536
const LOCK = 616
/** The kind of an extension's condition, or every byte of its amount, if a bucket lacks the extension. */
const ABSENT = 255

/** Numbers of the extensions. Each kind of bucket has its own. */
const POOL_NUMBERS = { withdrawPenalty: 2, bonus: 3, quoteThreshold: 8 }
const CURVE_NUMBERS = { firstBuy: 1, creatorFee: 2 }
const RAYDIUM_NUMBERS = { lock: 1, creatorFee: 2 }

export const extensionsOfPrimary = (primary: LaunchPlan['primary']): Extension[] =>
  primary.kind === 'launchpoolV2' ? extensionsOfLaunchPool(primary) : extensionsOfCurve(primary)

const extensionsOfLaunchPool = ({ bonus, withdrawPenalty, quoteThreshold }: LaunchPoolPlan): Extension[] => [
  schedule(BONUS, POOL_NUMBERS.bonus, bonus),
  schedule(WITHDRAW_PENALTY, POOL_NUMBERS.withdrawPenalty, withdrawPenalty),
  extension(QUOTE_THRESHOLD, POOL_NUMBERS.quoteThreshold, quoteThreshold, {
    encode: u64,
    isEmpty: isFilledWith(ABSENT, QUOTE_THRESHOLD, 8),
  }),
]

const extensionsOfCurve = ({ firstBuy, creatorFeeWallet }: BondingCurvePlan): Extension[] => [
  extension(FIRST_BUY, CURVE_NUMBERS.firstBuy, firstBuy, {
    encode: ({ buyer, amount }) => Buffer.concat([addressBytes(buyer), u64(amount)]),
    isEmpty: isFilledWith(0, FIRST_BUY, 32),
  }),
  creatorFee('bondingCurveV2', CURVE_NUMBERS.creatorFee, creatorFeeWallet),
]

export const extensionsOfPool = ({ lock, creatorFeeWallet }: RaydiumPlan): Extension[] => [
  extension(LOCK, RAYDIUM_NUMBERS.lock, lock, {
    encode: encodeLock,
    isEmpty: isFilledWith(ABSENT, LOCK, 1),
    written: writtenLock,
  }),
  creatorFee('raydiumCpmmV2', RAYDIUM_NUMBERS.creatorFee, creatorFeeWallet),
]

function creatorFee(
  kind: 'bondingCurveV2' | 'raydiumCpmmV2',
  number: number,
  wallet: Address | undefined,
): Extension {
  const at = layoutOf(kind).creatorFee?.wallet as number
  return extension(at, number, wallet, { encode: addressBytes, isEmpty: isFilledWith(0, at, 32) })
}

const schedule = (at: number, number: number, value: Schedule | undefined): Extension =>
  extension(at, number, value, {
    encode: encodeSchedule,
    // Its condition comes after three numbers.
    isEmpty: isFilledWith(ABSENT, at + 24, 1),
    written: writtenSchedule,
  })

function extension<T>(
  at: number,
  number: number,
  value: T | undefined,
  {
    encode,
    isEmpty,
    written = (at, _, bytes) => [{ at, bytes }],
  }: {
    encode(value: T): Uint8Array
    isEmpty(data: Uint8Array): boolean
    written?(at: number, value: T, bytes: Uint8Array): Written[]
  },
): Extension {
  if (value === undefined) return { isEmpty, data: undefined, written: undefined }
  const bytes = encode(value)
  return {
    isEmpty,
    data: Buffer.concat([Uint8Array.of(number), bytes]),
    written: written(at, value, bytes),
  }
}

/** Without the time at which a condition was met, and without reserved bytes. */
const writtenSchedule = (at: number, { start, duration }: Schedule, bytes: Uint8Array): Written[] => [
  { at, bytes: bytes.subarray(0, 24) },
  writtenCondition(at + 24, start),
  { at: at + 88, bytes: u64(duration) },
]

const writtenLock = (at: number, { start, cliff }: LockSchedule, bytes: Uint8Array): Written[] => [
  writtenCondition(at, start),
  { at: at + 64, bytes: bytes.subarray(64, 80) },
  writtenCondition(at + 80, cliff),
  { at: at + 144, bytes: bytes.subarray(144, 146) },
]

const isFilledWith =
  (value: number, at: number, length: number) =>
  (data: Uint8Array): boolean =>
    data.subarray(at, at + length).every(byte => byte === value)

/** The behaviours at the end of the primary bucket, with their number in front. */
export function behavioursField({ primary, behaviours }: LaunchPlan): Field {
  const at = layoutOf(primary.kind).endBehaviours
  return {
    isEmpty: isFilledWith(0, at, 4),
    written: [{ at, bytes: Buffer.concat([u32(behaviours.length), ...behaviours.map(encodeBehaviour)]) }],
  }
}
