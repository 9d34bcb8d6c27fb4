import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { saveAgent } from './agents.ts'
import { findBucketsOf, listBucketAddresses, type NewBucket, saveBuckets } from './buckets.ts'
import {
  findProgress,
  forgetSlotsAfter,
  requestFullRead,
  saveCompleteScan,
  saveProgress,
  saveScan,
} from './chain-progress.ts'
import type { Database } from './database.ts'
import {
  findIndexedAgents,
  type IndexedAgent,
  listAgentAddresses,
  saveIndexedAgents,
} from './indexed-agents.ts'
import { type IndexedLaunch, updateLaunches } from './indexed-launches.ts'
import { insertLaunches } from './launches.ts'
import { removeIndexed } from './removed-accounts.ts'
import { launches } from './tables.ts'

const network = 'chain-mainnet'
const at = (second: number) => new Date(Date.UTC(2026, 5, 1, 0, 0, second))
const genesisAddress = addressOf('launch one')

async function withLaunch() {
  const { database } = await createTestDatabase()
  await insertLaunches(database, [launchRows('one', { registeredAt: at(0), lastActivityAt: at(0), slot: 5 })])
  const find = async () => {
    const [row] = await database.run('test', db =>
      db.select().from(launches).where(eq(launches.genesisAddress, genesisAddress)),
    )
    return row
  }
  return { database, find }
}

const seen = (slot: number, rest: Partial<IndexedLaunch> = {}): IndexedLaunch => ({
  genesisAddress,
  slot,
  mechanic: 'bondingCurveV2',
  startsAt: undefined,
  endsAt: undefined,
  graduatedAt: undefined,
  changedAt: undefined,
  ...rest,
})

test('a launch without times starts with its registration and ends with its graduation', async () => {
  const { database, find } = await withLaunch()
  expect(await updateLaunches(database, network, [seen(10)])).toBe(1)
  const open = { startsAt: at(0), graduatedAt: null, lastActivityAt: at(0), mechanic: 'bondingCurveV2' }
  expect(await find()).toMatchObject({ ...open, endsAt: new Date('9999-12-31T23:59:59.999Z'), slot: 10 })
  await updateLaunches(database, network, [seen(11, { graduatedAt: at(9), changedAt: at(9) })])
  expect(await find()).toMatchObject({ endsAt: at(9), graduatedAt: at(9), lastActivityAt: at(9) })
  // The first known time is kept, and activity before the registration does not count.
  await updateLaunches(database, network, [seen(12, { graduatedAt: at(20), changedAt: at(-5) })])
  expect(await find()).toMatchObject({ graduatedAt: at(9), lastActivityAt: at(0) })
})

test('an older state of a launch never overwrites a newer one, and unchanged rows are not written', async () => {
  const { database, find } = await withLaunch()
  await updateLaunches(database, network, [seen(10, { changedAt: at(7) })])
  expect(await updateLaunches(database, network, [seen(9, { changedAt: at(3) })])).toBe(0)
  expect(await find()).toMatchObject({ lastActivityAt: at(7), slot: 10 })
  expect(await updateLaunches(database, network, [seen(11, { changedAt: at(7) })])).toBe(0)
  expect(await find()).toMatchObject({ slot: 10 })
  expect(await updateLaunches(database, network, [seen(10, { changedAt: at(6) })])).toBe(0)
  expect(await updateLaunches(database, network, [seen(10, { changedAt: at(8) })])).toBe(1)
  expect(await updateLaunches(database, 'chain-devnet', [seen(99, { changedAt: at(9) })])).toBe(0)
})

const bucket = (slot: number, rest: Partial<NewBucket> = {}): NewBucket => ({
  network,
  address: addressOf('bucket'),
  genesisAddress,
  kind: 'bondingCurveV2',
  creatorFeeWallet: addressOf('wallet'),
  slot,
  ...rest,
})

test('a bucket keeps its known changes if only its head is read', async () => {
  const { database } = await withLaunch()
  const find = async (db: Database) => (await findBucketsOf(db, network, [genesisAddress]))[0]
  const save = (row: NewBucket) => database.run('test', db => saveBuckets(db, [row]))
  expect(await save(bucket(10, { digest: 'a', changedAt: at(1) }))).toBe(1)
  expect(await save(bucket(11))).toBe(0)
  expect(await save(bucket(12, { creatorFeeWallet: null }))).toBe(1)
  expect(await save(bucket(9, { digest: 'old', changedAt: at(9) }))).toBe(0)
  expect(await find(database)).toMatchObject({ digest: 'a', changedAt: at(1), registeredAt: at(0) })
  await removeIndexed(database, network, 'buckets', { addresses: [addressOf('bucket')], slot: 11 })
  expect(await find(database)).toBeDefined()
  await removeIndexed(database, network, 'buckets', { addresses: [addressOf('bucket')], slot: 12 })
  expect(await find(database)).toBeUndefined()
})

const agent = (slot: number, owner: string): IndexedAgent => ({
  address: addressOf('agent'),
  owner: addressOf(owner),
  authority: null,
  name: 'Agent',
  uri: '',
  identityVersion: 2,
  agentUri: null,
  agentToken: null,
  slot,
})

test('an older state of an agent neither overwrites nor removes a newer one', async () => {
  const { database } = await createTestDatabase()
  const find = async () =>
    (await findIndexedAgents(database, network, [addressOf('agent')])).get(addressOf('agent'))
  await saveIndexedAgents(database, network, [agent(10, 'second')])
  await saveIndexedAgents(database, network, [agent(9, 'first')])
  expect(await find()).toEqual(agent(10, 'second'))
  await removeIndexed(database, network, 'agents', { addresses: [addressOf('agent')], slot: 9 })
  expect(await find()).toBeDefined()
  // A chain that was reset is behind the store, so rows from its future get slot 0.
  await forgetSlotsAfter(database, network, 5)
  await saveIndexedAgents(database, network, [agent(4, 'third')])
  expect(await find()).toEqual(agent(4, 'third'))
})

test('the progress records whether everything was read, and can be reset', async () => {
  const { database } = await createTestDatabase()
  await saveScan(database, network, { slot: 7, share: 0.5 })
  expect(await findProgress(database, network)).toMatchObject({
    isComplete: false,
    scanSlot: 7,
    scanShare: 0.5,
  })
  await saveCompleteScan(database, network, { slot: 20, at: at(20) })
  expect(await findProgress(database, network)).toMatchObject({ slot: 20, isComplete: true })
  expect(await saveProgress(database, network, { slot: 9, at: at(1) })).toMatchObject({
    isComplete: true,
    slot: 9,
    scanSlot: null,
  })
  await requestFullRead(database, network)
  expect(await saveProgress(database, network, { slot: 10, at: at(2) })).toMatchObject({ isComplete: false })
})

test('if two states have the same slot, the last one stored wins', async () => {
  const { database } = await createTestDatabase()
  const owner = async () =>
    (await findIndexedAgents(database, network, [addressOf('agent')])).get(addressOf('agent'))?.owner
  await saveIndexedAgents(database, network, [agent(10, 'first')])
  await saveIndexedAgents(database, network, [agent(10, 'second')])
  expect(await owner()).toBe(addressOf('second'))
  const display = { name: 'Agent', description: '', isActive: true, hasServices: false }
  expect(await saveAgent(database, { network, documents: {}, ...agent(10, 'third') }, display)).toBe(true)
  expect(await owner()).toBe(addressOf('third'))
  const bucket = (creator: string): NewBucket => ({
    network,
    address: addressOf('bucket'),
    genesisAddress,
    kind: 'bondingCurveV2',
    creatorFeeWallet: addressOf(creator),
    slot: 10,
  })
  for (const creator of ['first', 'second'])
    expect(await database.run('test', db => saveBuckets(db, [bucket(creator)]))).toBe(1)
})

test('accounts are listed from and up to a slot, which is included', async () => {
  const { database } = await createTestDatabase()
  await saveIndexedAgents(database, network, [agent(10, 'owner')])
  expect(await listAgentAddresses(database, network, { since: 10 })).toEqual([addressOf('agent')])
  expect(await listAgentAddresses(database, network, { since: 11 })).toEqual([])
  const bucket: NewBucket = {
    network,
    address: addressOf('bucket'),
    genesisAddress,
    kind: 'bondingCurveV2',
    creatorFeeWallet: null,
    slot: 10,
  }
  await database.run('test', db => saveBuckets(db, [bucket]))
  expect(await listBucketAddresses(database, network, 10)).toEqual([addressOf('bucket')])
  expect(await listBucketAddresses(database, network, 9)).toEqual([])
})
