import type { LaunchOutline, PrimaryAllocation } from '@slipway/launch-model/plan/outline-launch'
import type { LaunchCondition } from '@slipway/schema/launch-allocations'

/** A condition of a launch, and what is expected of it. */
export interface PlacedCondition {
  path: string
  condition: LaunchCondition
  allowed: readonly LaunchCondition['type'][]
  /** The bucket that it is a condition of: type and index. */
  bucket: string
  /** The name of the time, if other conditions can refer to it: bucket type, index and time. */
  time?: string
  /** The names of the times that it must come after. */
  after?: readonly string[]
  /** Whether it ends something, so that a launch can't be created once it has passed. */
  isEnd?: boolean
}

const AT_A_TIME = ['TimeAbsolute', 'TimeRelativeToUnknownAddress'] as const
const START = [...AT_A_TIME, 'Always'] as const
const END = [...AT_A_TIME, 'Never'] as const

/**
 * Every condition of a launch. `allowed` leaves out the kinds that the program refuses, and those with which
 * the launch could never proceed.
 */
export function listConditions(outline: LaunchOutline): PlacedCondition[] {
  const { primaries, pools, unlocked, shares } = outline
  return [
    ...primaries.flatMap(({ allocation, path }) => listPrimary(allocation, path)),
    ...pools.flatMap(({ path, startCondition, lpLockSchedule: lock }, index) => [
      {
        path: `${path}.startCondition`,
        condition: startCondition,
        allowed: START,
        bucket: `raydiumV2 ${index}`,
        time: `raydiumV2 ${index} GraduateStart`,
      },
      ...(lock?.enabled
        ? (['startCondition', 'cliffCondition'] as const).map(name => ({
            path: `${path}.lpLockSchedule.${name}`,
            condition: lock[name],
            allowed: END,
            bucket: `raydiumV2 ${index}`,
          }))
        : []),
    ]),
    ...unlocked.flatMap(({ path, ...claims }, index) => {
      const [start, end] = listClaims(`unlockedV2 ${index}`, path, claims, START)
      const hasShare = shares.some(share => share.to === 'unlocked' && share.index === index)
      // Otherwise the proceeds could arrive after claims have ended.
      return [start, hasShare ? { ...end, after: [...(end.after ?? []), findSaleEnd(outline)] } : end]
    }),
  ]
}

/** The name of the time at which the primary bucket ends and its proceeds are shared out. */
export const findSaleEnd = ({ primaries }: LaunchOutline): string =>
  primaries[0]?.allocation.type === 'launchpoolV2' ? 'launchpoolV2 0 DepositEnd' : 'bondingCurveV2 0 SwapEnd'

function listPrimary(allocation: PrimaryAllocation, path: string): PlacedCondition[] {
  if (allocation.type === 'bondingCurveV2') {
    const { swapStartCondition, swapEndCondition } = allocation.bondingCurveV2
    return [
      {
        path: `${path}.swapStartCondition`,
        condition: swapStartCondition,
        allowed: START,
        bucket: 'bondingCurveV2 0',
        time: 'bondingCurveV2 0 SwapStart',
      },
      {
        path: `${path}.swapEndCondition`,
        condition: swapEndCondition,
        allowed: [...AT_A_TIME, 'Triggered'],
        bucket: 'bondingCurveV2 0',
        time: 'bondingCurveV2 0 SwapEnd',
        after: ['bondingCurveV2 0 SwapStart'],
        isEnd: true,
      },
    ]
  }
  const { depositStartCondition, depositEndCondition, ...claims } = allocation.launchpoolV2
  const [claimStart, claimEnd] = listClaims('launchpoolV2 0', path, claims, AT_A_TIME)
  return [
    {
      path: `${path}.depositStartCondition`,
      condition: depositStartCondition,
      allowed: START,
      bucket: 'launchpoolV2 0',
      time: 'launchpoolV2 0 DepositStart',
    },
    {
      path: `${path}.depositEndCondition`,
      condition: depositEndCondition,
      allowed: AT_A_TIME,
      bucket: 'launchpoolV2 0',
      time: 'launchpoolV2 0 DepositEnd',
      after: ['launchpoolV2 0 DepositStart'],
      isEnd: true,
    },
    // A claim is a share of all deposits so far, so an early claim would take the tokens of later depositors.
    { ...claimStart, after: ['launchpoolV2 0 DepositEnd'] },
    claimEnd,
  ]
}

const listClaims = (
  bucket: string,
  path: string,
  {
    claimStartCondition,
    claimEndCondition,
  }: Record<'claimStartCondition' | 'claimEndCondition', LaunchCondition>,
  allowedStart: PlacedCondition['allowed'],
): [start: PlacedCondition, end: PlacedCondition] => [
  {
    path: `${path}.claimStartCondition`,
    condition: claimStartCondition,
    allowed: allowedStart,
    bucket,
    time: `${bucket} ClaimStart`,
  },
  {
    path: `${path}.claimEndCondition`,
    condition: claimEndCondition,
    allowed: END,
    bucket,
    time: `${bucket} ClaimEnd`,
    after: [`${bucket} ClaimStart`],
    isEnd: true,
  },
]
