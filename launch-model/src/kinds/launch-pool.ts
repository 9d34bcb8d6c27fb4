import { firstOf, type Moment, type Refusal } from '../actions.ts'
import { type Codec, type Decoded, list, reserved, struct, u8, u64 } from '../bytes/codec.ts'
import { defineCall } from '../call.ts'
import { condition, strictCondition } from '../conditions.ts'
import { costInPool, entitledInPool, paidOutOfPool, poolDepositLayout } from '../deposits.ts'
import { GENESIS_PROGRAM } from '../programs.ts'
import {
  amountData,
  type BucketKind,
  type Deposit,
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
  optionalSchedule,
  strictRelease,
  strictSchedule,
} from './bucket-parts.ts'
import { WORDS } from './words.ts'

const layout = struct({
  key: u8,
  depositFeeType: u8,
  withdrawFeeType: u8,
  claimFeeType: u8,
  _fees: reserved(4),
  depositFee: u64,
  depositId: u64,
  depositCount: u64,
  /** Without fees, and less withdrawals. */
  quoteTokenDepositTotal: u64,
  weightedQuoteTokenTotal: u64,
  withdrawFee: u64,
  claimFee: u64,
  claimCount: u64,
  refundCount: u64,
  ...BUCKET_BASE,
  conditions: struct({
    DepositStart: condition,
    DepositEnd: condition,
    ClaimStart: condition,
    ClaimEnd: condition,
  }),
  _reserved: reserved(136),
  extensions: struct({
    backendSigner: optionalAddress,
    depositPenalty: optionalSchedule,
    withdrawPenalty: optionalSchedule,
    bonusSchedule: optionalSchedule,
    depositLimit: optionalAmount,
    allowlist: optionalAllowlist,
    claimSchedule: optionalRelease,
    minimumDepositAmount: optionalAmount,
    /** If less than this is raised, depositors get their funds back. */
    minimumQuoteTokenThreshold: optionalAmount,
  }),
  _end: reserved(164),
  endBehaviors: list(behavior),
})
export type LaunchPoolAccount = Decoded<typeof layout>

export const addLaunchPool = defineCall(
  'addLaunchPool',
  GENESIS_PROGRAM,
  72,
  struct({
    ...ADDED_BUCKET,
    conditions: struct({
      DepositStart: strictCondition,
      DepositEnd: strictCondition,
      ClaimStart: strictCondition,
      ClaimEnd: strictCondition,
    }),
  }),
)
export const extendLaunchPool = defineCall(
  'extendLaunchPool',
  GENESIS_PROGRAM,
  73,
  extensionList({
    bonusSchedule: [3, strictSchedule],
    withdrawPenalty: [2, strictSchedule],
    minimumQuoteTokenThreshold: [8, u64],
    claimSchedule: [6, strictRelease],
  }),
)
export const setLaunchPoolBehaviors = defineCall('setLaunchPoolBehaviors', GENESIS_PROGRAM, 75, behaviorList)

export const depositInPool = defineCall('depositInPool', GENESIS_PROGRAM, 68, amountData)
export const withdrawFromPool = defineCall('withdrawFromPool', GENESIS_PROGRAM, 69, amountData)
export const claimFromLaunchPool = defineCall('claimFromLaunchPool', GENESIS_PROGRAM, 70, plainData)
export const refundFromPool = defineCall('refundFromPool', GENESIS_PROGRAM, 71, plainData)

const misses = ({ quoteTokenDepositTotal, extensions }: LaunchPoolAccount): boolean =>
  quoteTokenDepositTotal < (extensions.minimumQuoteTokenThreshold ?? 0n)

function refusals(pool: LaunchPoolAccount, { isMet, nowSeconds, deposit }: Moment): SaleRefusals {
  const { conditions, extensions } = pool
  const hasEnded = isMet(conditions.DepositEnd)
  const hasMissed = misses(pool)
  const operator: [boolean, Refusal] = [extensions.backendSigner !== undefined, 'NEEDS_OPERATOR']
  return {
    buy: 'TAKES_DEPOSITS',
    sell: 'TAKES_DEPOSITS',
    deposit: firstOf(
      operator,
      [!isMet(conditions.DepositStart), 'DEPOSITS_NOT_STARTED'],
      [hasEnded, 'DEPOSITS_ENDED'],
      [isListOnly(extensions.allowlist, nowSeconds), 'ALLOW_LIST_ONLY'],
    ),
    withdraw: firstOf(operator, [hasEnded, 'WITHDRAWALS_ENDED'], [!deposit, 'NOTHING_TO_WITHDRAW']),
    claim: firstOf(
      operator,
      [!isMet(conditions.ClaimStart), 'CLAIMS_NOT_STARTED'],
      [hasMissed || !deposit || deposit.claimed || isMet(conditions.ClaimEnd), 'NOTHING_TO_CLAIM'],
    ),
    refund: firstOf(
      operator,
      [!hasEnded, 'NOT_ENDED'],
      [!hasMissed || !deposit || deposit.refunded === true, 'NO_REFUND'],
    ),
  }
}

/** Depositors share the whole allocation, however much was deposited. */
export const launchPool = {
  name: 'launchpoolV2',
  type: 'launchpoolV2',
  key: 26,
  seed: 'launch_pool_v2',
  layout,
  words: WORDS.launchpoolV2,
  deposits: {
    key: 27,
    seed: 'launch_pool_deposit_v2',
    layout: poolDepositLayout as Codec<Deposit> & typeof poolDepositLayout,
    cost: costInPool,
    paidOut: paidOutOfPool,
    limits: ({ extensions }) => ({
      minimum: extensions.minimumDepositAmount,
      maximum: extensions.depositLimit,
    }),
    entitled: (pool, { weighted = 0n }) => entitledInPool(pool, { weighted }),
    share: ({ weightedQuoteTokenTotal: whole }, { weighted: part = 0n }) => ({ part, whole }),
    schedule: ({ extensions }) => extensions.claimSchedule,
    calls: {
      deposit: depositInPool,
      withdraw: withdrawFromPool,
      claim: claimFromLaunchPool,
      refund: refundFromPool,
    },
    claimFeeIn: 'quote',
  },
  sale: {
    start: 'DepositStart',
    end: 'DepositEnd',
    misses,
    actions: refusals,
    figures: ({ baseTokenAllocation: supply, quoteTokenDepositTotal: raised, depositCount, extensions }) => ({
      raised,
      sold: raised > 0n ? supply : 0n,
      supply,
      price: ratio(raised, supply),
      progress: shareOf(raised, extensions.minimumQuoteTokenThreshold),
      participants: depositCount,
    }),
    goal: ({ extensions }) => extensions.minimumQuoteTokenThreshold || undefined,
  },
  creation: {
    add: addLaunchPool,
    extend: extendLaunchPool,
    extensions: ['bonusSchedule', 'withdrawPenalty', 'minimumQuoteTokenThreshold', 'claimSchedule'],
    setBehaviors: setLaunchPoolBehaviors,
  },
} satisfies BucketKind<'launchpoolV2', LaunchPoolAccount>
