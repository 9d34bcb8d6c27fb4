import {
  type ConditionArgs,
  createNeverCondition,
  createTimeRelativeCondition,
  createTriggeredCondition,
} from '@metaplex-foundation/genesis'
import { expect } from 'vitest'
import { compareSteps, type Step, type World } from '../../testing/compare-steps.ts'
import { BEGINNING, startLaunchPool } from '../../testing/launch-pool.ts'
import { always, timeAt } from '../../testing/launches.ts'
import { readGenesis, testRealPrograms } from '../../testing/real-programs.ts'

const TIMES = { start: BEGINNING + 100, end: BEGINNING + 1_100 }
const KINDS: Record<string, (world: World) => ConditionArgs> = {
  Uninitialized: () => ({ ...always(), __kind: 'Uninitialized' }),
  TimeAbsolute: () => timeAt(TIMES.end + 500),
  TimeRelative: ({ launch }) => createTimeRelativeCondition(launch.curve, 1, 5n),
  Triggered: () => createTriggeredCondition(),
  Never: () => createNeverCondition(),
  Always: () => always(),
}
const DEPOSITS = ['depositStartCondition', 'depositEndCondition', 'claimStartCondition', 'claimEndCondition']
const BUCKETS: [string, string[], (world: World, more: object) => ReturnType<Step['build']>][] = [
  ['pool', DEPOSITS, ({ launch }, more) => launch.addPool(TIMES, more)],
  ['presale', DEPOSITS, ({ launch }, more) => launch.addPresale(TIMES, more)],
  [
    'unlocked',
    DEPOSITS.slice(2),
    ({ launch, depositor }, more) => launch.addUnlocked(depositor(9).publicKey, more),
  ],
]

testRealPrograms(
  'buckets accept the same kinds of conditions as on the real Genesis program',
  async () => {
    let bucketIndex = 0
    const steps = BUCKETS.flatMap(([bucket, slots, add]) =>
      slots.flatMap(slot =>
        Object.entries(KINDS).map(([kind, condition]): Step => {
          const index = bucketIndex++
          return {
            name: `${bucket} ${slot} ${kind}`,
            build: world =>
              add(world, { bucketIndex: index, baseTokenAllocation: 1n, [slot]: condition(world) }),
          }
        }),
      ),
    )
    steps.push({
      name: 'claims of a presale that never ends',
      build: world =>
        world.launch.addPresale(TIMES, {
          bucketIndex,
          baseTokenAllocation: 1n,
          depositEndCondition: createNeverCondition(),
          claimStartCondition: createTimeRelativeCondition(world.launch.curve, 1, 5n),
        }),
    })
    const worlds = [startLaunchPool(), startLaunchPool(readGenesis())] as const
    const initialize: Step = { name: 'initialize', build: ({ launch }) => launch.initialize(), error: null }
    const outcomes = await compareSteps(worlds, [initialize, ...steps])
    expect(outcomes.succeeded).toBeGreaterThan(20)
    expect(outcomes.refused).toBeGreaterThan(10)
  },
  { programs: ['Genesis', 'Token Metadata'] },
)
