import type { LaunchInput } from '@slipway/schema/create-launch'
import type {
  BondingCurveAllocation,
  FundFlow,
  LaunchPoolAllocation,
  UnlockedAllocation,
} from '@slipway/schema/launch-allocations'

/** A part of a launch and where it is in the request. */
type At<T> = T & { path: string }

type RaydiumFlow = Extract<FundFlow, { type: 'RaydiumLP' }>
export type PrimaryAllocation = LaunchPoolAllocation | BondingCurveAllocation
type Unlocked = UnlockedAllocation['unlockedV2'] & { supply: number }

/** The buckets of a launch. Those of each kind count from 0, in the order of the request. */
export interface LaunchOutline {
  /** More or fewer than one is an error. */
  primaries: At<{ allocation: PrimaryAllocation }>[]
  pools: At<RaydiumFlow>[]
  unlocked: At<Unlocked>[]
  /** The parts of the proceeds, and the bucket that each goes to. */
  shares: At<{ percentageBps: number; to: 'pool' | 'unlocked'; index: number }>[]
}

export function outlineLaunch({ allocations }: Pick<LaunchInput, 'allocations'>): LaunchOutline {
  const outline: LaunchOutline = { primaries: [], pools: [], unlocked: [], shares: [] }
  allocations.forEach((allocation, index) => {
    const path = `launch.allocations.${index}`
    if (allocation.type === 'unlockedV2') {
      const { supply, unlockedV2, type } = allocation
      outline.unlocked.push({ ...unlockedV2, supply, path: `${path}.${type}` })
      return
    }
    outline.primaries.push({ allocation, path: `${path}.${allocation.type}` })
    flowsOf(allocation).forEach((flow, at) => {
      addFlow(outline, flow, `${path}.${allocation.type}.fundFlows.${at}`)
    })
  })
  return outline
}

const flowsOf = (allocation: PrimaryAllocation): readonly FundFlow[] =>
  allocation.type === 'launchpoolV2' ? allocation.launchpoolV2.fundFlows : allocation.bondingCurveV2.fundFlows

function addFlow({ pools, unlocked, shares }: LaunchOutline, flow: FundFlow, path: string): void {
  const { percentageBps } = flow
  if (flow.type === 'RaydiumLP') {
    shares.push({ path, percentageBps, to: 'pool', index: pools.length })
    pools.push({ ...flow, path })
  } else if (percentageBps > 0 || flow.supply > 0) {
    // A flow of neither funds nor tokens is left out: the official SDK sends one if all proceeds go to the
    // pool.
    if (percentageBps > 0) shares.push({ path, percentageBps, to: 'unlocked', index: unlocked.length })
    unlocked.push({ ...flow, path })
  }
}
