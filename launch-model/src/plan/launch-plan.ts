import type { Address } from '@slipway/schema/address'
import { assetSignerAddress } from '../addresses.ts'
import type { ArgsOf } from '../calls/genesis.ts'
import type { addCurve, extendCurve } from '../kinds/bonding-curve.ts'
import type { Behavior } from '../kinds/bucket-parts.ts'
import type { addLaunchPool, extendLaunchPool } from '../kinds/launch-pool.ts'
import type { addPresale, extendPresale } from '../kinds/presale.ts'
import type { addRaydium, extendRaydium } from '../kinds/raydium-cpmm.ts'
import type { addUnlocked } from '../kinds/unlocked.ts'
import { buyOnCurve, NEW_CURVE } from '../trade/curve.ts'

/**
 * Everything that the instructions of a new launch depend on. Amounts are in the smallest unit, durations in seconds.
 */
export interface LaunchPlan {
  /** Signs and pays. It is the authority of the launch too, unless an agent is. */
  wallet: Address
  agent?: LaunchingAgent | undefined
  mint: Address
  genesis: Address
  quoteMint: Address
  quoteTokenProgram: Address
  token: { name: string; symbol: string; uri: string; decimals: number; supply: bigint }
  primary: PrimaryPlan
  /** What is done with the proceeds when the primary bucket ends, in this order. */
  behaviors: Behavior[]
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

/** A bucket, as the instructions that add and extend it say. */
interface BucketPlan<Kind, Added, Extended> {
  kind: Kind
  added: Added
  extended: Extended
}

export type LaunchPoolPlan = BucketPlan<
  'launchpoolV2',
  ArgsOf<typeof addLaunchPool>,
  ArgsOf<typeof extendLaunchPool>
>
export type BondingCurvePlan = BucketPlan<
  'bondingCurveV2',
  ArgsOf<typeof addCurve>,
  ArgsOf<typeof extendCurve>
>
/** Requests have no presales; the demo does. */
export type PresalePlan = BucketPlan<'presaleV2', ArgsOf<typeof addPresale>, ArgsOf<typeof extendPresale>>
export type PrimaryPlan = LaunchPoolPlan | PresalePlan | BondingCurvePlan
export type RaydiumPlan = BucketPlan<'raydiumCpmmV2', ArgsOf<typeof addRaydium>, ArgsOf<typeof extendRaydium>>
export type UnlockedPlan = BucketPlan<'unlockedV2', ArgsOf<typeof addUnlocked>, Record<string, never>> & {
  recipient: Address
}

export const authorityOf = ({ wallet, agent }: Pick<LaunchPlan, 'wallet' | 'agent'>): Address =>
  agent ? assetSignerAddress(agent.asset) : wallet

export const firstBuyOf = (primary: PrimaryPlan) =>
  primary.kind === 'bondingCurveV2' ? primary.extended.firstBuy : undefined

/** How many tokens a first buy gets. It pays no fees, and no other trade can come before it. */
export const firstBuyTokens = ({ added }: BondingCurvePlan, amount: bigint): bigint =>
  buyOnCurve(
    {
      ...NEW_CURVE,
      virtualReserves: added.virtualReserves,
      baseTokenBalance: added.baseTokenAllocation,
    },
    amount,
    true,
  ).base
