import { firstOf, type Moment, type Refusal } from '../actions.ts'
import {
  array,
  type Codec,
  type Decoded,
  i64,
  list,
  optional,
  reserved,
  struct,
  u8,
  u64,
} from '../bytes/codec.ts'
import { defineCall } from '../call.ts'
import { condition, strictCondition } from '../conditions.ts'
import { costInPresale, entitledInPresale, presaleDepositLayout } from '../deposits.ts'
import { GENESIS_PROGRAM } from '../programs.ts'
import {
  amountData,
  type BucketKind,
  type Deposit,
  min,
  plainData,
  ratio,
  type SaleRefusals,
  shareOf,
} from './bucket-kind.ts'
import {
  ADDED_BUCKET,
  BUCKET_BASE,
  behavior,
  behaviorList,
  extensionList,
  isListOnly,
  optionalAddress,
  optionalAllowlist,
  optionalAmount,
  optionalRelease,
  strictRelease,
} from './bucket-parts.ts'
import { WORDS } from './words.ts'

/** Limits that change at up to five times. */
const steps = struct({ startTimes: array(i64, 5), limits: array(u64, 5) })
/** The largest time, in the place of every time and limit. */
const NO_STEPS = Uint8Array.from({ length: steps.size as number }, (_, index) =>
  index % 8 === 7 ? 127 : 255,
)
const isUnset = (bytes: Uint8Array) => bytes.every((byte, index) => byte === NO_STEPS[index])

const layout = struct({
  key: u8,
  depositFeeType: u8,
  claimFeeType: u8,
  _fees: reserved(5),
  depositFee: u64,
  depositCount: u64,
  quoteTokenDepositTotal: u64,
  claimFee: u64,
  claimCount: u64,
  ...BUCKET_BASE,
  /** The deposits that buy the whole allocation. */
  allocationQuoteTokenCap: u64,
  conditions: struct({
    DepositStart: condition,
    DepositEnd: condition,
    ClaimStart: condition,
    ClaimEnd: condition,
  }),
  _reserved: reserved(136),
  extensions: struct({
    backendSigner: optionalAddress,
    depositLimit: optionalAmount,
    depositCooldown: optionalAmount,
    perCooldownDepositLimit: optionalAmount,
    allowlist: optionalAllowlist,
    steppedDepositLimit: optional(steps, { is: isUnset, bytes: NO_STEPS }),
    claimSchedule: optionalRelease,
    minimumDepositAmount: optionalAmount,
  }),
  _end: reserved(132),
  endBehaviors: list(behavior),
})
export type PresaleAccount = Decoded<typeof layout>

export const addPresale = defineCall(
  'addPresale',
  GENESIS_PROGRAM,
  77,
  struct({
    ...ADDED_BUCKET,
    allocationQuoteTokenCap: u64,
    conditions: struct({
      DepositStart: strictCondition,
      DepositEnd: strictCondition,
      ClaimStart: strictCondition,
      ClaimEnd: strictCondition,
    }),
  }),
)
export const extendPresale = defineCall(
  'extendPresale',
  GENESIS_PROGRAM,
  78,
  extensionList({ claimSchedule: [6, strictRelease] }),
)
const setPresaleBehaviors = defineCall('setPresaleBehaviors', GENESIS_PROGRAM, 80, behaviorList)

export const depositInPresale = defineCall('depositInPresale', GENESIS_PROGRAM, 51, amountData)
export const claimFromPresale = defineCall('claimFromPresale', GENESIS_PROGRAM, 52, plainData)

/** The limit of the last step that has begun. The first one also holds before its time. */
function stepAt(given: Decoded<typeof steps> | undefined, now: bigint): bigint | undefined {
  const begun = given?.startTimes.filter(time => time <= now).length ?? 0
  return given?.limits[Math.max(begun - 1, 0)]
}

const least = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || b === undefined ? (a ?? b) : min(a, b)

function refusals(sale: PresaleAccount, { isMet, nowSeconds, deposit }: Moment): SaleRefusals {
  const { conditions, extensions } = sale
  const operator: [boolean, Refusal] = [extensions.backendSigner !== undefined, 'NEEDS_OPERATOR']
  return {
    buy: 'TAKES_DEPOSITS',
    sell: 'TAKES_DEPOSITS',
    deposit: firstOf(
      operator,
      [!isMet(conditions.DepositStart), 'DEPOSITS_NOT_STARTED'],
      [isMet(conditions.DepositEnd), 'DEPOSITS_ENDED'],
      [sale.quoteTokenDepositTotal >= sale.allocationQuoteTokenCap, 'CAP_REACHED'],
      [isListOnly(extensions.allowlist, nowSeconds), 'ALLOW_LIST_ONLY'],
    ),
    withdraw: 'NO_WITHDRAWALS',
    claim: firstOf(
      operator,
      [!isMet(conditions.ClaimStart), 'CLAIMS_NOT_STARTED'],
      [!deposit || deposit.claimed || isMet(conditions.ClaimEnd), 'NOTHING_TO_CLAIM'],
    ),
    refund: 'NO_REFUND',
  }
}

/** The cap buys the whole allocation, so the price is fixed. */
export const presale = {
  name: 'presaleV2',
  type: 'presaleV2',
  key: 19,
  seed: 'presale_v2',
  layout,
  words: WORDS.presaleV2,
  deposits: {
    key: 20,
    seed: 'presale_deposit_v2',
    layout: presaleDepositLayout as Codec<Deposit> & typeof presaleDepositLayout,
    cost: costInPresale,
    limits: ({ extensions }, now) => ({
      minimum: extensions.minimumDepositAmount,
      maximum: least(extensions.depositLimit, stepAt(extensions.steppedDepositLimit, now)),
      perDeposit: extensions.perCooldownDepositLimit,
      cooldown: extensions.depositCooldown,
    }),
    entitled: entitledInPresale,
    share: ({ allocationQuoteTokenCap: whole }, { amount: part }) => ({ part, whole }),
    schedule: ({ extensions }) => extensions.claimSchedule,
    calls: { deposit: depositInPresale, claim: claimFromPresale },
    claimFeeIn: 'base',
  },
  sale: {
    start: 'DepositStart',
    end: 'DepositEnd',
    actions: refusals,
    figures({
      baseTokenAllocation: supply,
      quoteTokenDepositTotal: raised,
      allocationQuoteTokenCap: cap,
      depositCount,
    }) {
      return {
        raised,
        sold: cap > 0n ? min((raised * supply) / cap, supply) : 0n,
        supply,
        price: ratio(cap, supply),
        progress: shareOf(raised, cap),
        participants: depositCount,
      }
    },
    goal: ({ allocationQuoteTokenCap }) => allocationQuoteTokenCap || undefined,
  },
  creation: {
    add: addPresale,
    extend: extendPresale,
    extensions: ['claimSchedule'],
    setBehaviors: setPresaleBehaviors,
  },
} satisfies BucketKind<'presaleV2', PresaleAccount>
