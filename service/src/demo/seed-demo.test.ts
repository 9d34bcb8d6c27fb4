import { registrationOf } from '@slipway/local-chain'
import { NETWORKS } from '@slipway/schema/network'
import { expect, test } from 'vitest'
import { insertLaunches, setSpotlight } from '../store/launches.ts'
import { useDemo } from '../testing/demo.ts'
import { launchRows } from '../testing/launch-rows.ts'
import { startTestService } from '../testing/test-service.ts'
import { type DemoLaunch, type Register, seedDemo } from './seed-demo.ts'

const world = useDemo()
/** This node has to hear of a change first. */
const LATER = { timeout: 60_000 }

const launches = (): DemoLaunch[] =>
  NETWORKS.flatMap(network =>
    world.chainOf(network).world.launches.map(launch => ({
      registration: registrationOf(launch, network),
      spotlight: launch.entry.spotlight ?? false,
    })),
  )

async function start() {
  const service = await startTestService({ config: world.config() })
  const failed: unknown[] = []
  return {
    ...service,
    failed,
    seed: (register: Register = service.register) =>
      seedDemo(
        { database: service.database, register, onFailed: (_, error) => failed.push(error) },
        launches(),
      ),
    async list(query = ''): Promise<{ launch: { genesisAddress: string } }[]> {
      await service.snapshots.caughtUp()
      const lists = NETWORKS.map(async network => {
        const answer = await fetch(`${service.url}/v1/launches?network=${network}&${query}`)
        return ((await answer.json()) as { data: never[] }).data
      })
      return (await Promise.all(lists)).flat()
    },
  }
}

const addresses = (list: readonly DemoLaunch[]) =>
  list.map(({ registration }) => registration.genesisAccount as string).sort()
const listed = (list: readonly { launch: { genesisAddress: string } }[]) =>
  list.map(({ launch }) => launch.genesisAddress).sort()

test('all demo launches are registered once, some in the spotlight, and one belongs to an agent', async () => {
  const { seed, list, url, database, failed } = await start()
  expect(await seed()).toBe(true)
  expect(failed).toEqual([])
  await expect.poll(async () => listed(await list()), LATER).toEqual(addresses(launches()))
  const wanted = launches().filter(({ spotlight }) => spotlight)
  await expect.poll(async () => listed(await list('spotlight=true')), LATER).toEqual(addresses(wanted))
  const { address, token } = world.agent('patchbot')
  const { tokens } = (await (await fetch(`${url}/v1/agents/${address}`)).json()) as { tokens: object[] }
  expect(tokens).toMatchObject([{ address: token }])

  // A later change by the operator is kept.
  const [first] = wanted as [DemoLaunch]
  await setSpotlight(database, first.registration.network, first.registration.genesisAccount, false)
  const never = async () => {
    throw new Error('there is nothing left to register')
  }
  expect(await seed(never)).toBe(true)
  expect(failed).toEqual([])
  await expect.poll(() => list('spotlight=true'), LATER).toHaveLength(wanted.length - 1)
})

test('an interrupted run is completed at the next start, spotlight included', async () => {
  const { seed, list, register, failed } = await start()
  let calls = 0
  await seed(body => {
    calls += 1
    if (calls > 20) throw new Error('power failure')
    return register(body)
  })
  expect(failed.length).toBeGreaterThan(20)
  failed.length = 0
  expect(await seed()).toBe(true)
  expect(failed).toEqual([])
  await expect.poll(async () => listed(await list()), LATER).toEqual(addresses(launches()))
  const wanted = launches().filter(({ spotlight }) => spotlight)
  await expect.poll(async () => listed(await list('spotlight=true')), LATER).toEqual(addresses(wanted))
})

test('a store that holds only other launches is left unchanged', async () => {
  const { seed, list, database } = await start()
  const others = [launchRows('another launch')]
  await insertLaunches(database, others)
  expect(await seed()).toBe(false)
  await expect.poll(async () => (await list()).length, LATER).toBe(1)
})
