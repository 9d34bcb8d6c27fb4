import { identityAddress } from '@slipway/launch-model/addresses'
import { marketTrades } from '@slipway/local-chain/world/market-trades'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import type { Database } from '../../store/database.ts'
import { removeIndexed } from '../../store/removed-accounts.ts'
import type { IndexedKind } from '../../store/tables.ts'
import { saveTestAgent } from '../../testing/agent-rows.ts'
import { useDemo } from '../../testing/demo.ts'
import { addressOf } from '../../testing/launch-rows.ts'
import { createTestDatabase, runSql } from '../../testing/test-database.ts'
import { indexLaunches } from '../accounts/index-launches.ts'
import { createMissingAccounts } from '../accounts/known-accounts.ts'
import { readStore } from '../testing/agreement.ts'
import { startTestIndexer } from '../testing/indexer.ts'
import { startLyingNode } from '../testing/lying-node.ts'
import { registerWorld } from '../testing/naive.ts'
import { openTestRpc } from '../testing/test-rpc.ts'
import { indexNetworkOnce } from './full-read.ts'
import { type HeldRemoval, removeMissing } from './remove-missing.ts'

const demo = useDemo()
const network = 'chain-mainnet'
const later = { timeout: 60_000, interval: 50 }

async function prepare() {
  const { local, world } = demo.chainOf()
  const { connection, database } = await createTestDatabase()
  const rpc = openTestRpc(local.rpcUrl)
  await registerWorld(database, network, world.launches, new Date('2026-01-01T00:00:00.000Z'))
  await indexNetworkOnce({
    network,
    rpc,
    database,
    signal: new AbortController().signal,
    onShare() {},
    onRefused() {},
  })
  // As if everything had been read a while ago: an account that was read too recently to be final is not removed.
  for (const table of ['agents', 'buckets']) await runSql(connection, `UPDATE ${table} SET slot = 1`)
  return { local, world, connection, database, rpc }
}

/** Stores buckets that never existed on the chain, as if they had been indexed. */
const addBuckets = (connection: Parameters<typeof runSql>[0], names: readonly string[]) =>
  runSql(
    connection,
    `INSERT INTO buckets (network, address, genesis_address, kind, slot)
     SELECT '${network}', address, '${addressOf('launch')}', 'presaleV2', 1
     FROM unnest(ARRAY[${names.map(name => `'${addressOf(name)}'`)}]) AS address`,
  )

async function remove(database: Database, addresses: readonly Address[], isAccepted = false) {
  const missing = createMissingAccounts()
  missing.noticed('buckets', addresses)
  const held: HeldRemoval[] = []
  const removed: [IndexedKind, number][] = []
  await removeMissing({
    network,
    rpc: { confirmMissing: async addresses => ({ missing: [...addresses], found: [], slot: 100 }) },
    database,
    missing,
    isAccepted,
    onHeld: next => void (next && held.push(next)),
    onRemoved: (kind, all) => removed.push([kind, all.length]),
  })
  return { held, removed, left: missing.size() }
}

test('ten missing accounts are removed, and eleven are kept if they are more than 5 % of all', async () => {
  const { connection, database } = await createTestDatabase()
  const names = Array.from({ length: 100 }, (_, number) => `bucket ${number}`)
  await addBuckets(connection, names)
  const eleven = names.slice(0, 11).map(addressOf)
  expect(await remove(database, eleven)).toEqual({
    held: [{ kind: 'buckets', missing: 11, total: 100 }],
    removed: [],
    left: 11,
  })
  expect(Object.keys((await readStore(database, network)).buckets)).toHaveLength(100)
  expect(await remove(database, eleven.slice(1))).toEqual({ held: [], removed: [['buckets', 10]], left: 0 })
  expect(await remove(database, names.slice(11, 30).map(addressOf), true)).toMatchObject({
    removed: [['buckets', 19]],
  })
})

test('eleven missing accounts of many are removed', async () => {
  const { connection, database } = await createTestDatabase()
  const names = Array.from({ length: 240 }, (_, number) => `bucket ${number}`)
  await addBuckets(connection, names)
  expect(await remove(database, names.slice(0, 12).map(addressOf))).toMatchObject({
    removed: [['buckets', 12]],
  })
})

test('accounts that an operator accepts as gone are still looked up on every endpoint before they are removed', async () => {
  const { connection, database } = await createTestDatabase()
  await addBuckets(connection, ['there', 'gone'])
  const missing = createMissingAccounts()
  missing.noticed('buckets', [addressOf('there'), addressOf('gone')])
  await removeMissing({
    network,
    rpc: {
      confirmMissing: async () => ({ missing: [addressOf('gone')], found: [addressOf('there')], slot: 100 }),
    },
    database,
    missing,
    isAccepted: true,
    onHeld() {},
    onRemoved() {},
  })
  expect(Object.keys((await readStore(database, network)).buckets)).toEqual([addressOf('there')])
})

test('a bucket that is gone for good is removed from the index and reported', async () => {
  const { local, connection, database } = await prepare()
  const before = await readStore(database, network)
  await addBuckets(connection, ['closed'])
  const { rpcUrl, wsUrl } = local
  const indexer = startTestIndexer({ connection, rpcUrl, wsUrl, limits: { recheckMs: 500 } })
  await expect.poll(() => readStore(database, network), later).toEqual(before)
  await expect.poll(() => indexer.events, later).toContain('removed 1 buckets')
})

test('accounts that were removed by mistake are back within a minute, without a full read', async () => {
  const { local, connection, database, world } = await prepare()
  const { rpcUrl, wsUrl } = local
  const indexer = startTestIndexer({ connection, rpcUrl, wsUrl, limits: { removedMs: 300 } })
  await expect.poll(() => indexer.events.join(), later).toContain('repaired')
  const before = await readStore(database, network)
  const readings = () => indexer.events.filter(event => event.startsWith('repaired')).length
  const readingsBefore = readings()
  const [agent] = Object.keys(before.agents) as Address[]
  const bucket = world.launches[0]?.addresses.primary as string as Address
  const remove = (kind: IndexedKind, address: Address) =>
    removeIndexed(database, network, kind, { addresses: [address], slot: 2 ** 40 })
  expect(await remove('agents', agent as Address)).toEqual([agent])
  expect(await remove('buckets', bucket)).toEqual([bucket])
  await expect.poll(() => readStore(database, network), later).toEqual(before)
  expect(readings()).toBe(readingsBefore)
  const countRemoved = async () =>
    (await runSql(connection, 'SELECT count(*)::int AS left FROM removed_accounts')).rows[0].left
  await expect.poll(countRemoved, later).toBe(0)
})

test('a launch with a missing bucket stays as it was', async () => {
  const { local, world, database, rpc } = await prepare()
  const trades = marketTrades(local.chain, world.environment)
  const curve = world.launches.find(launch => launch.plan.amm && trades.isGraduated(launch))
  if (!curve) throw new Error('the world has no graduated curve')
  const genesis = curve.genesisAddress as string as Address
  const before = await readStore(database, network)
  const times = { of: async () => new Date(), ofLastChange: async () => undefined, forget() {} }
  const reader = {
    ...rpc,
    async fetchAccounts(addresses: readonly Address[]) {
      const { slot, accounts } = await rpc.fetchAccounts(addresses)
      const hide = (address: Address) => address === (curve.addresses.amm as string)
      return {
        slot,
        accounts: accounts.map(account =>
          hide(account.address) ? { exists: false as const, address: account.address } : account,
        ),
      }
    },
  }
  const result = await indexLaunches({ network, reader, database, times }, new Map([[genesis, new Map()]]))
  expect(result).toMatchObject({ written: 0, missing: [curve.addresses.amm] })
  expect(await readStore(database, network)).toEqual(before)
})

test('nothing that a subscription reports is stored unless an endpoint has it', async () => {
  const { local, world, connection, database } = await prepare()
  const other = demo.chainOf('chain-devnet')
  // The endpoint is honest; its subscriptions follow another chain.
  const node = await startLyingNode({ rpcUrl: local.rpcUrl, wsUrl: other.local.wsUrl }, other.local)
  const indexer = startTestIndexer({ connection, rpcUrl: node.rpcUrl, wsUrl: node.wsUrl })
  await expect.poll(() => indexer.events.join(), later).toContain('repaired')
  const before = await readStore(database, network)
  const trades = marketTrades(other.local.chain, other.world.environment)
  for (const launch of other.world.launches) {
    if (launch.entry.slug === 'orchard-ledger') trades.depositInSale(launch, 0, 1_000_000n)
    if (launch.plan.mechanic === 'bondingCurveV2' && !trades.isGraduated(launch)) trades.graduate(launch)
  }
  await new Promise(resolve => setTimeout(resolve, 700))
  expect(await readStore(database, network)).toEqual(before)
  // The indexer still works.
  const pool = world.launches.find(({ entry }) => entry.slug === 'orchard-ledger')
  if (!pool) throw new Error('the world has no launch pool')
  marketTrades(local.chain, world.environment).depositInSale(pool, 0, 1_000_000n)
  await expect.poll(() => readStore(database, network), later).not.toEqual(before)
})

test('an agent is removed if its asset or its identity is gone, and kept if the chain has both', async () => {
  const { database } = await createTestDatabase()
  const [burnt, unregistered, sound] = await Promise.all(
    ['burnt', 'unregistered', 'sound'].map(async name => (await saveTestAgent(database, name)).address),
  )
  const gone = [burnt, identityAddress(unregistered as Address)]
  const missing = createMissingAccounts()
  const agents = [burnt, unregistered, sound] as Address[]
  missing.noticed('agents', agents)
  const removed: Address[] = []
  await removeMissing({
    network,
    rpc: {
      async confirmMissing(addresses) {
        expect(addresses.toSorted()).toEqual(agents.flatMap(one => [one, identityAddress(one)]).toSorted())
        const isGone = (address: Address) => gone.includes(address)
        return { missing: addresses.filter(isGone), found: [], slot: 100 }
      },
    },
    database,
    missing,
    isAccepted: false,
    onHeld() {},
    onRemoved: (_, addresses) => removed.push(...addresses),
  })
  expect(removed.toSorted()).toEqual([burnt, unregistered].toSorted())
  expect(missing.size()).toBe(0)
})

test('an account that was stored after the slot of the look-up is not removed, and stays on the list', async () => {
  const { connection, database } = await createTestDatabase()
  await addBuckets(connection, ['old', 'new'])
  await runSql(connection, `UPDATE buckets SET slot = 101 WHERE address = '${addressOf('new')}'`)
  expect(await remove(database, [addressOf('old'), addressOf('new')])).toEqual({
    held: [],
    removed: [['buckets', 1]],
    left: 1,
  })
  expect(Object.keys((await readStore(database, network)).buckets)).toEqual([addressOf('new')])
})
