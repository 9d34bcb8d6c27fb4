import { randomUUID } from 'node:crypto'
import type { Address } from '@slipway/schema/address'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { saveTestAgent } from '../testing/agent-rows.ts'
import { NUMBER_EVENTS } from '../testing/event-client.ts'
import { addressOf, launchRows, MINUTE_MS } from '../testing/launch-rows.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { saveActivity } from './activity.ts'
import { removeAuthoredCard, saveAuthoredCard, setVerified } from './agents.ts'
import { saveBuckets } from './buckets.ts'
import { requestFullRead, saveCompleteScan } from './chain-progress.ts'
import { replaceCluster } from './clusters.ts'
import { setAgentHidden, setAgentSpotlight } from './curated-agents.ts'
import type { ConnectionOptions, Database } from './database.ts'
import { deleteOldEvents, findEventRange, readEventsAfter, readNewestEvents, writeStarts } from './events.ts'
import { updateLaunches } from './indexed-launches.ts'
import { insertLaunches, setHidden, setSpotlight } from './launches.ts'
import { removeIndexed } from './removed-accounts.ts'

const NETWORK = 'chain-mainnet'
const FIGURES = {
  sold: '1',
  supply: '1',
  priceQuote: null,
  priceBase: null,
  progress: null,
  participants: null,
  creatorFees: null,
}

/** Returns the types of the events since the last call. */
function createReader(database: Database) {
  let seen = 0
  return async () => {
    const events = await readEventsAfter(database, seen, 1_000)
    seen = events.at(-1)?.id ?? seen
    return events.map(({ type }) => type)
  }
}

async function completeIndex(database: Database): Promise<void> {
  await saveCompleteScan(database, NETWORK, { slot: 1, at: new Date() })
  // Times are stored in milliseconds: an agent indexed within the same one counts as found by the full read.
  await database.run('test', db => db.execute(sql`SELECT pg_sleep(0.002)`))
}

/** Moves the starts of all launches to this second. Triggers are off, so the starts are due and not yet written. */
async function startNow(connection: ConnectionOptions): Promise<Date> {
  const startsAt = new Date()
  startsAt.setMilliseconds(0)
  await runSql(
    connection,
    `SET session_replication_role = replica; UPDATE launches SET starts_at = '${startsAt.toISOString()}';
     UPDATE pending_milestones SET due_at = '${startsAt.toISOString()}'`,
  )
  return startsAt
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

test('the order of ids is the order of commits, even if transactions overlap', async () => {
  const { connection, database } = await createTestDatabase()
  await insertLaunches(database, [launchRows('first'), launchRows('second')])
  const { newest } = await findEventRange(database)
  const hide = (name: string) =>
    `UPDATE launches SET hidden = true WHERE genesis_address = '${addressOf(`launch ${name}`)}'`
  const [slow, quick] = [await connect(connection), await connect(connection)]
  await slow.query('BEGIN')
  await slow.query(hide('first'))
  await quick.query('BEGIN')
  await quick.query(hide('second'))
  await quick.query('COMMIT')
  const between = await readEventsAfter(database, newest, 10)
  expect(between.map(({ address }) => address)).toEqual([addressOf('launch second')])
  await slow.query('COMMIT')
  const after = await readEventsAfter(database, between[0]?.id as number, 10)
  expect(after.map(({ address }) => address)).toEqual([addressOf('launch first')])
})

test('a reader that follows the newest id misses nothing while many transactions commit', async () => {
  const { connection, database } = await createTestDatabase()
  const names = Array.from({ length: 8 }, (_, at) => `launch ${at}`)
  await insertLaunches(
    database,
    names.map(name => launchRows(name)),
  )
  let seen = (await findEventRange(database)).newest
  const read: number[] = []
  let isDone = false
  const reading = (async () => {
    for (;;) {
      const isLast = isDone
      const events = await readEventsAfter(database, seen, 1_000)
      read.push(...events.map(({ id }) => id))
      seen = events.at(-1)?.id ?? seen
      if (isLast) return
    }
  })()
  const startId = seen
  await Promise.all(
    names.map(async name => {
      const client = await connect(connection)
      for (let round = 0; round < 40; round += 1)
        await client.query(
          `BEGIN; UPDATE launches SET hidden = NOT hidden WHERE genesis_address = '${addressOf(`launch ${name}`)}';
           SELECT pg_sleep(random() / 500); COMMIT`,
        )
    }),
  )
  isDone = true
  await reading
  expect(read).toHaveLength(8 * 40)
  expect(read).toEqual((await readEventsAfter(database, startId, 1_000)).map(({ id }) => id))
})

test('a launch reports its registration, start, moves and graduation, each with its time', async () => {
  const { connection, database } = await createTestDatabase()
  const { launch, token } = launchRows('new', { startsAt: new Date(Date.now() + MINUTE_MS) })
  await insertLaunches(database, [{ launch, token }])
  const genesisAddress = launch.genesisAddress
  const bucket = {
    network: NETWORK,
    address: addressOf('bucket'),
    genesisAddress,
    kind: 'bondingCurveV2',
    slot: 1,
  } as const
  const save = (fields: object) => database.run('test', db => saveBuckets(db, [{ ...bucket, ...fields }]))
  await save({})
  const changedAt = new Date(Date.now() - MINUTE_MS)
  // The first read of a bucket is no move.
  await save({ digest: 'one', changedAt: new Date(0) })
  await save({ digest: 'two', changedAt })
  const unseen = { ...bucket, address: addressOf('another'), genesisAddress: addressOf('unregistered') }
  await save({ ...unseen, digest: 'one' })
  await save({ ...unseen, digest: 'two' })
  const startsAt = await startNow(connection)
  expect(await writeStarts(database)).toBeUndefined()
  const graduatedAt = new Date(Date.now() - 1_000)
  const seen = { genesisAddress, mechanic: 'bondingCurveV2', endsAt: undefined, changedAt } as const
  const graduate = (slot: number, at: Date | undefined) =>
    updateLaunches(database, NETWORK, [{ ...seen, slot, startsAt, graduatedAt: at }])
  await graduate(2, graduatedAt)
  // A wrong state of the chain undoes the graduation.
  await graduate(3, undefined)
  await graduate(4, graduatedAt)
  await Promise.all([writeStarts(database), writeStarts(database)])
  expect(await readNewestEvents(database, 10)).toMatchObject([
    { type: 'launch.registered', network: NETWORK, address: genesisAddress, at: launch.registeredAt },
    { type: 'launch.moved', at: changedAt },
    { type: 'launch.started', at: startsAt },
    { type: 'launch.graduated', at: graduatedAt },
  ])
})

test('a trade in the pool of a launch that has graduated is a move', async () => {
  const { database } = await createTestDatabase()
  const launchId = randomUUID()
  await insertLaunches(database, [launchRows('graduated', { id: launchId, graduatedAt: new Date() })])
  const read = createReader(database)
  await read()
  const save = (slot: number, raised: string) =>
    database.transact('test', db =>
      saveActivity(db, [{ ...FIGURES, launchId, slot, time: new Date(), raised }]),
    )
  await save(1, '5')
  expect(await read()).toEqual([])
  await save(2, '6')
  await save(3, '6')
  expect(await read()).toEqual(['launch.moved'])
})

test('nodes that write the same starts at once write each event once', async () => {
  const { connection, database } = await createTestDatabase()
  const names = Array.from({ length: 50 }, (_, at) => `${at}`)
  const startsAt = new Date(Date.now() + MINUTE_MS)
  await insertLaunches(
    database,
    names.map(name => launchRows(name, { startsAt })),
  )
  expect(await writeStarts(database)).toBeGreaterThan(30_000)
  await startNow(connection)
  await Promise.all(Array.from({ length: 8 }, () => writeStarts(database)))
  const events = await readNewestEvents(database, 1_000)
  const started = events.filter(({ type }) => type === 'launch.started')
  expect(started).toHaveLength(50)
  expect(new Set(started.map(({ address }) => address)).size).toBe(50)
})

test('a launch that is registered late reports its start and graduation at once', async () => {
  const { database } = await createTestDatabase()
  await insertLaunches(database, [launchRows('late', { graduatedAt: new Date() })])
  expect(await createReader(database)()).toEqual(['launch.registered', 'launch.started', 'launch.graduated'])
})

test('a hidden launch reports nothing until it is shown again', async () => {
  const { connection, database } = await createTestDatabase()
  const read = createReader(database)
  const { launch, token } = launchRows('hidden', { startsAt: new Date(Date.now() + MINUTE_MS) })
  const agent = (await saveTestAgent(database, 'launcher')).address
  await insertLaunches(database, [{ launch: { ...launch, agent }, token }])
  expect(await read()).toEqual(['launch.registered', 'agent.changed'])
  const hide = (hidden: boolean) => setHidden(database, NETWORK, launch.genesisAddress as Address, hidden)
  await hide(true)
  await hide(true)
  expect(await read()).toEqual(['launch.hidden', 'agent.changed'])
  await startNow(connection)
  await writeStarts(database)
  await setSpotlight(database, NETWORK, launch.genesisAddress as Address, true)
  expect(await read()).toEqual([])
  await hide(false)
  expect(await read()).toEqual(['launch.registered', 'agent.changed', 'launch.started'])
})

test('every change of the public detail of an agent is reported once per transaction', async () => {
  const { database } = await createTestDatabase()
  const read = createReader(database)
  await completeIndex(database)
  const { address } = await saveTestAgent(database, 'agent')
  expect(await read()).toEqual(['agent.registered'])
  await saveTestAgent(database, 'agent', { slot: 20 })
  expect(await read()).toEqual([])
  const documents = { registration: { uri: 'a', fetchedAtMs: 1 } }
  await saveTestAgent(database, 'agent', { slot: 20, documents })
  expect(await read()).toEqual(['agent.changed'])
  await saveTestAgent(database, 'agent', {
    slot: 20,
    documents: { registration: { ...documents.registration, fetchedAtMs: 2 } },
  })
  expect(await read()).toEqual([])
  await saveAuthoredCard(database, NETWORK, address, Buffer.from('{}'))
  await saveAuthoredCard(database, NETWORK, address, Buffer.from('{}'))
  expect(await read()).toEqual(['agent.changed'])
  await removeAuthoredCard(database, NETWORK, address)
  await setVerified(database, NETWORK, address, true)
  await setVerified(database, NETWORK, address, true)
  await setAgentSpotlight(database, NETWORK, address, true)
  expect(await read()).toEqual(['agent.changed', 'agent.changed', 'agent.changed'])
  await database.transact('test', async db => {
    await db.execute(sql`UPDATE agents SET owner = ${addressOf('buyer')}`)
    await db.execute(sql`DELETE FROM verified_agents`)
  })
  expect(await read()).toEqual(['agent.changed'])
  await removeIndexed(database, NETWORK, 'agents', { addresses: [address], slot: 30 })
  expect(await read()).toEqual(['agent.changed'])
})

test('a hidden agent reports nothing, but hiding and showing it do', async () => {
  const { database } = await createTestDatabase()
  await completeIndex(database)
  const { address } = await saveTestAgent(database, 'agent')
  const read = createReader(database)
  await read()
  await setAgentHidden(database, NETWORK, address, true)
  await setAgentHidden(database, NETWORK, address, true)
  expect(await read()).toEqual(['agent.changed'])
  await saveTestAgent(database, 'agent', { owner: addressOf('buyer') })
  await setVerified(database, NETWORK, address, true)
  await setAgentSpotlight(database, NETWORK, address, true)
  expect(await read()).toEqual([])
  await setAgentHidden(database, NETWORK, address, false)
  expect(await read()).toEqual(['agent.changed'])
})

test('agents that the first full read finds are not reported, and neither are their first documents', async () => {
  const { database } = await createTestDatabase()
  const read = createReader(database)
  const documents = { registration: { uri: 'a' } }
  await saveTestAgent(database, 'old')
  await completeIndex(database)
  await saveTestAgent(database, 'old', { documents })
  expect(await read()).toEqual([])
  await saveTestAgent(database, 'old', { documents: {} })
  await saveTestAgent(database, 'new')
  await saveTestAgent(database, 'new', { documents })
  expect(await read()).toEqual(['agent.changed', 'agent.registered', 'agent.changed'])
  // A repeated full read reports what has changed, but finds nothing new.
  await requestFullRead(database, NETWORK)
  await saveTestAgent(database, 'found')
  await saveTestAgent(database, 'old', { owner: addressOf('buyer') })
  expect(await read()).toEqual(['agent.changed'])
})

test('replacing the cluster of a network reports no change of its agents', async () => {
  const { database } = await createTestDatabase()
  await completeIndex(database)
  await saveTestAgent(database, 'agent')
  await database.run('test', db =>
    db.execute(sql`INSERT INTO clusters (network, genesis_hash) VALUES (${NETWORK}, 'one')`),
  )
  const { newest } = await findEventRange(database)
  await replaceCluster(database, NETWORK, { from: 'one', to: 'two', keepsData: false })
  expect((await findEventRange(database)).newest).toBe(newest)
})

test('events are deleted after two hours, except one that shows where the kept ones begin', async () => {
  const { connection, database } = await createTestDatabase()
  expect(await findEventRange(database)).toEqual({ keptAfter: 0, newest: 0, isKept: true })
  await insertLaunches(
    database,
    Array.from({ length: 10 }, (_, at) => launchRows(`launch ${at}`)),
  )
  await runSql(connection, NUMBER_EVENTS)
  expect(await findEventRange(database)).toEqual({ keptAfter: 0, newest: 20, isKept: true })
  await runSql(connection, `UPDATE events SET written_at = now() - interval '119 minutes'`)
  expect(await deleteOldEvents(database, 100)).toBe(0)
  await runSql(connection, `UPDATE events SET written_at = now() - interval '121 minutes' WHERE id <= 15`)
  expect(await deleteOldEvents(database, 10)).toBe(10)
  expect(await deleteOldEvents(database, 10)).toBe(4)
  expect(await deleteOldEvents(database, 10)).toBe(0)
  expect(await findEventRange(database)).toEqual({ keptAfter: 15, newest: 20, isKept: false })
  const isKept = async (id: number) => (await findEventRange(database, id)).isKept
  expect(await Promise.all([14, 15, 16, 20, 21].map(isKept))).toEqual([false, true, true, true, false])
  expect((await readEventsAfter(database, 15, 3)).map(({ id }) => id)).toEqual([16, 17, 18])
})

test('an id is not reused after the store has lost events, even if the clock is set back', async () => {
  const { connection, database } = await createTestDatabase()
  await insertLaunches(database, [launchRows('kept')])
  const { newest: kept } = await findEventRange(database)
  await insertLaunches(database, [launchRows('lost')])
  const { newest: lost } = await findEventRange(database)
  await runSql(connection, `DELETE FROM events WHERE id > ${kept}; SELECT setval('events_id_seq', ${kept})`)
  await insertLaunches(database, [launchRows('new')])
  const [first] = await readEventsAfter(database, kept, 1)
  expect(first?.id).toBeGreaterThan(lost)
  // As if the clock had been ahead until now.
  const ahead = lost + 1_000_000_000
  await runSql(connection, `SELECT setval('events_id_seq', ${ahead})`)
  await insertLaunches(database, [launchRows('newer')])
  expect((await findEventRange(database)).newest).toBeGreaterThan(ahead)
})
