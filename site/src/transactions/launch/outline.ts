import type { Address, LaunchCondition, LaunchInput } from '@slipway/client'
import { bucketAddress } from '../addresses.ts'
import { refuse } from '../unexpected.ts'
import type { Behaviour, Condition, Schedule } from './describe-fields.ts'

type Allocation = LaunchInput['allocations'][number]
export type Primary = Exclude<Allocation, { type: 'unlockedV2' }>
type LaunchPool = Extract<Primary, { type: 'launchpoolV2' }>['launchpoolV2']
type Flow = LaunchPool['fundFlows'][number]
export type Pool = Extract<Flow, { type: 'RaydiumLP' }>
export type Part = Omit<Extract<Flow, { type: 'UnlockedFunds' }>, 'type' | 'percentageBps'>

export interface Outline {
  primary: Primary
  pools: Pool[]
  /** Tokens or proceeds for one recipient each. */
  parts: Part[]
  behaviours: Behaviour[]
}

/** The buckets that a launch has on the chain. Those of each kind count from 0, in the order of the request. */
export async function outlineLaunch({ allocations }: LaunchInput, genesis: Address): Promise<Outline> {
  const primaries: Primary[] = []
  const pools: Pool[] = []
  const parts: Part[] = []
  const behaviours: Behaviour[] = []
  const send = async (type: 'raydiumV2' | 'unlockedV2', index: number, bps: number) => {
    const bucket = await bucketAddress(type, genesis, index)
    // Without a price to open at, a pool could never open.
    if (type === 'raydiumV2') behaviours.push({ kind: 'price', bps: 0, bucket })
    behaviours.push({ kind: 'share', bps, bucket })
  }
  for (const allocation of allocations) {
    if (allocation.type === 'unlockedV2') {
      parts.push({ ...allocation.unlockedV2, supply: allocation.supply })
      continue
    }
    primaries.push(allocation)
    for (const flow of flowsOf(allocation)) {
      const { percentageBps: bps } = flow
      if (flow.type === 'RaydiumLP') {
        await send('raydiumV2', pools.length, bps)
        pools.push(flow)
      } else if (bps > 0 || flow.supply > 0) {
        if (bps > 0) await send('unlockedV2', parts.length, bps)
        parts.push(flow)
      }
    }
  }
  const [primary] = primaries
  if (!primary || primaries.length > 1) return refuse('A launch has one launch pool or one bonding curve.')
  return { primary, pools, parts, behaviours }
}

const flowsOf = (primary: Primary): readonly Flow[] =>
  primary.type === 'launchpoolV2' ? primary.launchpoolV2.fundFlows : primary.bondingCurveV2.fundFlows

/** A condition refers to another bucket by kind and index in a request, and by address on the chain. */
export async function toCondition(condition: LaunchCondition, genesis: Address): Promise<Condition> {
  switch (condition.type) {
    case 'TimeAbsolute':
      return { kind: 'TimeAbsolute', time: toSeconds(condition.timestamp) }
    case 'TimeRelativeToUnknownAddress':
      return {
        kind: 'TimeRelative',
        bucket: await bucketAddress(condition.bucketType, genesis, condition.bucketIndex),
        bucketTime: condition.bucketTime,
        timeOffset: BigInt(condition.timeOffset ?? 0),
      }
    default:
      return { kind: condition.type }
  }
}

const toSeconds = (timestamp: string): bigint => BigInt(Math.floor(Date.parse(timestamp) / 1_000))

const BPS = 10_000n

/** The line through two points over the time of deposits, rounded as the official client rounds it. */
export async function toSchedule(
  line: LaunchPool['depositBonus'],
  { depositStartCondition: start, depositEndCondition: end }: LaunchPool,
  genesis: Address,
): Promise<Schedule | undefined> {
  if (!line?.enabled) return undefined
  if (start.type !== 'TimeAbsolute' || end.type !== 'TimeAbsolute')
    return refuse('A bonus or a penalty needs fixed times.')
  const [time1, bps1] = [BigInt(line.point1TimeBps), BigInt(line.point1Bps)]
  const [time2, bps2] = [BigInt(line.point2TimeBps), BigInt(line.point2Bps)]
  const slopeBps = ((bps2 - bps1) * BPS) / (time2 - time1)
  return {
    slopeBps,
    interceptBps: bps1 - (slopeBps * time1) / BPS,
    maxBps: BigInt(line.maxBps),
    start: await toCondition(start, genesis),
    seconds: toSeconds(end.timestamp) - toSeconds(start.timestamp),
  }
}

/** Whole tokens in the smallest unit. More decimals than the token has are rounded. */
export function toUnits(amount: number, decimals: number): bigint {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(`${amount}`) ?? []
  const isExact = whole !== undefined && fraction.length <= decimals
  const text = isExact ? whole + fraction.padEnd(decimals, '0') : amount.toFixed(decimals).replace('.', '')
  return BigInt(text)
}
