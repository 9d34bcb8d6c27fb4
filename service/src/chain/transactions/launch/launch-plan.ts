import type { Address } from '@slipway/schema/address'
import type { Condition } from '../../accounts/bucket-layouts.ts'
import { assetSignerAddress } from '../../addresses/addresses.ts'

/** Everything that the instructions of a new launch depend on. Amounts are in the smallest unit, durations in seconds. */
export interface LaunchPlan {
  /** Signs and pays. It is the authority of the launch too, unless an agent is. */
  wallet: Address
  agent?: LaunchingAgent | undefined
  mint: Address
  genesis: Address
  quoteMint: Address
  quoteTokenProgram: Address
  token: { name: string; symbol: string; uri: string; decimals: number; supply: bigint }
  primary: LaunchPoolPlan | BondingCurvePlan
  /** What is done with the proceeds when the primary bucket ends, in this order. */
  behaviours: readonly Behaviour[]
  /** Buckets of each kind, in the order of their indexes. */
  pools: readonly RaydiumPlan[]
  unlocked: readonly UnlockedPlan[]
  /** Whether the launch is finalized, after which it cannot change. */
  isFinalized: boolean
}

/** An agent that creates the launch: its wallet is the authority, and its owner pays. */
export interface LaunchingAgent {
  asset: Address
  /** The collection that the asset belongs to, if any. */
  collection?: Address | undefined
  /** Whether the new token becomes the agent's own. */
  setsToken: boolean
}

export interface LaunchPoolPlan {
  kind: 'launchpoolV2'
  allocation: bigint
  depositStart: Condition
  depositEnd: Condition
  claimStart: Condition
  claimEnd: Condition
  bonus?: Schedule | undefined
  withdrawPenalty?: Schedule | undefined
  /** If less than this is raised, depositors get their funds back. */
  quoteThreshold?: bigint | undefined
}

export interface BondingCurvePlan {
  kind: 'bondingCurveV2'
  allocation: bigint
  swapStart: Condition
  swapEnd: Condition
  virtualQuote: bigint
  virtualBase: bigint
  firstBuy?: FirstBuy | undefined
  creatorFeeWallet?: Address | undefined
}

/** The transaction that creates the curve reserves it. While it is pending, only the buyer can trade. It is free of fees. */
export interface FirstBuy {
  buyer: Address
  amount: bigint
}

export interface RaydiumPlan {
  allocation: bigint
  start: Condition
  lock?: LockSchedule | undefined
  creatorFeeWallet?: Address | undefined
}

export interface UnlockedPlan {
  /** May be 0, for a bucket that only receives proceeds. */
  allocation: bigint
  recipient: Address
  claimStart: Condition
  claimEnd: Condition
}

export type Behaviour =
  | { kind: 'SendQuoteTokenPercentage'; percentageBps: number; bucket: Address }
  /** Without it, a pool has no price to open at, and the launch can never graduate. */
  | { kind: 'SendStartPrice'; bucket: Address }

/** A straight line over the time from its start: `intercept + slope × time`, all in basis points. */
export interface Schedule {
  slopeBps: bigint
  interceptBps: bigint
  maxBps: bigint
  start: Condition
  duration: bigint
}

/** When the liquidity of a pool can be claimed. */
export interface LockSchedule {
  start: Condition
  duration: bigint
  period: bigint
  cliff: Condition
  cliffAmountBps: number
}

export const authorityOf = ({ wallet, agent }: Pick<LaunchPlan, 'wallet' | 'agent'>): Address =>
  agent ? assetSignerAddress(agent.asset) : wallet
