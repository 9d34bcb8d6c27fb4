import {
  createClaimSchedule,
  type LaunchPoolV2ExtensionArgs,
  type PresaleV2ExtensionArgs,
} from '@metaplex-foundation/genesis'
import { schedule } from '@slipway/local-chain/testing/launches'
import { type SaleKind, SOL, TIMES } from './test-sale.ts'

type Extension = LaunchPoolV2ExtensionArgs & PresaleV2ExtensionArgs
const times = { start: TIMES.start, duration: TIMES.end - TIMES.start }
const DAY = 86_400n
const after = (seconds: bigint) => BigInt(TIMES.end) + seconds

export const minimum: Extension = {
  __kind: 'MinimumDepositAmount',
  minimumDepositAmount: { amount: SOL / 20n },
}
export const limit: Extension = { __kind: 'DepositLimit', depositLimit: { limit: 6n * SOL } }
export const goal = (amount: bigint): LaunchPoolV2ExtensionArgs => ({
  __kind: 'MinimumQuoteTokenThreshold',
  minimumQuoteTokenThreshold: { amount },
})
/** A tenth at the cliff, and the rest over a year, month by month. */
export const vesting: Extension = {
  __kind: 'ClaimSchedule',
  claimSchedule: createClaimSchedule({
    startTime: after(10n),
    endTime: after(10n + 360n * DAY),
    period: 30n * DAY,
    cliffTime: after(10n),
    cliffAmountBps: 1_000,
  }),
}

/** The settings of a sale, and the outcomes that its random runs must have seen. */
export const SALE_CASES: {
  name: string
  kind: SaleKind
  extensions: (LaunchPoolV2ExtensionArgs | PresaleV2ExtensionArgs)[]
  triggersFirst?: boolean
  misses?: boolean
  meets: string[]
}[] = [
  {
    name: 'a pool with a minimum and a limit',
    kind: 'launchpoolV2',
    extensions: [minimum, limit],
    meets: ['deposit', 'withdraw', 'BELOW_MINIMUM', 'ABOVE_LIMIT'],
  },
  {
    name: 'a pool with bonus and penalties',
    kind: 'launchpoolV2',
    extensions: [
      {
        __kind: 'BonusSchedule',
        bonusSchedule: schedule([0, 2_500], [10_000, 0], { ...times, maxBps: 2_000 }),
      },
      { __kind: 'DepositPenalty', depositPenalty: schedule([0, 100], [10_000, 777], times) },
      { __kind: 'WithdrawPenalty', withdrawPenalty: schedule([0, 333], [10_000, 2_500], times) },
    ],
    triggersFirst: true,
    meets: ['deposit', 'withdraw'],
  },
  {
    name: 'a pool that misses its goal',
    kind: 'launchpoolV2',
    extensions: [goal(10_000n * SOL)],
    misses: true,
    meets: ['deposit', 'withdraw'],
  },
  { name: 'a pool that vests', kind: 'launchpoolV2', extensions: [vesting], meets: ['deposit', 'withdraw'] },
  {
    name: 'a presale with a minimum, a limit and a cap',
    kind: 'presaleV2',
    extensions: [minimum, limit],
    meets: ['deposit', 'NO_WITHDRAWALS', 'BELOW_MINIMUM', 'ABOVE_LIMIT'],
  },
  {
    name: 'a presale with cooldowns',
    kind: 'presaleV2',
    extensions: [
      { __kind: 'DepositCooldown', depositCooldown: { duration: 300n } },
      { __kind: 'PerCooldownDepositLimit', perCooldownDepositLimit: { limit: 2n * SOL } },
    ],
    meets: ['deposit', 'COOLDOWN', 'ABOVE_DEPOSIT_LIMIT'],
  },
  { name: 'a presale that vests', kind: 'presaleV2', extensions: [vesting], meets: ['deposit'] },
]
