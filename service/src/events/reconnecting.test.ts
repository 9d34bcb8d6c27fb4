import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '../indexer/testing/random.ts'
import { findEventRange, readEventsAfter } from '../store/events.ts'
import { insertLaunches } from '../store/launches.ts'
import { isEndurance } from '../testing/endurance.ts'
import { type EventClient, followEvents } from '../testing/event-client.ts'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { startTestService } from '../testing/test-service.ts'

const { seed, of: randomOf } = seededRandom()
const WRITERS = 4
const CLIENTS = 6
const MS = isEndurance ? 30_000 : 1_500
/** Long enough for a slow machine. */
const WRITES_MIN = 40
const CUT_LISTENERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'slipway-listen' AND datname = current_database()`

test(`a client that reconnects at random sees every event once, in order (seed ${seed})`, async () => {
  const { connection, database } = await createTestDatabase()
  // So few events are in memory that clients also resume from the store.
  const startNode = () =>
    startTestService({
      connection,
      config: { rpcUrls: { 'chain-mainnet': ['http://127.0.0.1:9'], 'chain-devnet': [] } },
      limits: { events: { logCountMax: 20 } },
    })
  const nodes = await Promise.all([startNode(), startNode()])
  const names = Array.from({ length: 8 }, (_, at) => `${at}`)
  await insertLaunches(
    database,
    names.map(name => launchRows(name)),
  )
  const { newest: startId } = await findEventRange(database)
  const endMs = performance.now() + MS
  let writes = 0
  const isOver = () => performance.now() > endMs && writes >= WRITES_MIN

  /** Transactions of different lengths, some of which are rolled back. */
  async function write(name: string) {
    const random = randomOf(name)
    const client = new pg.Client(connection)
    await client.connect()
    onTestFinished(() => client.end())
    while (!isOver()) {
      const addresses = names.filter(() => random() < 0.3).map(launch => `'${addressOf(`launch ${launch}`)}'`)
      await client.query('BEGIN')
      await client.query(
        `UPDATE launches SET hidden = NOT hidden WHERE id IN (SELECT id FROM launches WHERE genesis_address IN (${[...addresses, "''"]}) ORDER BY id FOR UPDATE)`,
      )
      await sleep(random() * 20)
      await client.query(random() < 0.1 ? 'ROLLBACK' : 'COMMIT')
      writes += 1
    }
  }

  async function follow(name: string): Promise<number[]> {
    const random = randomOf(name)
    const seen: number[] = []
    let lastEventId = `${startId}`
    const connect = async (): Promise<EventClient> => {
      const { url } = nodes[Math.floor(random() * nodes.length)] as (typeof nodes)[number]
      try {
        return await followEvents(url, { lastEventId, onEvent: ({ id }) => seen.push(Number(id)) })
      } catch {
        // The node is restarting.
        await sleep(50)
        return connect()
      }
    }
    while (!isOver()) {
      const client = await connect()
      await Promise.race([sleep(random() * 300), client.ended])
      client.close()
      lastEventId = client.lastEventId()
      await sleep(random() < 0.3 ? random() * 500 : 0)
    }
    const { newest } = await findNewest()
    const client = await connect()
    await expect.poll(() => Number(client.lastEventId()), { timeout: 30_000 }).toBe(newest)
    return seen
  }

  const findNewest = async () => {
    await lastWrite
    const events = await readEventsAfter(database, 0, 100_000)
    return { newest: events.at(-1)?.id as number, ids: events.map(({ id }) => id) }
  }

  const writing = Promise.all(Array.from({ length: WRITERS }, (_, at) => write(`writer ${at}`)))
  // No node hears this announcement, and no later one makes up for it.
  const lastWrite = writing.then(() =>
    runSql(connection, `${CUT_LISTENERS}; UPDATE launches SET hidden = NOT hidden`),
  )
  const following = Promise.all(Array.from({ length: CLIENTS }, (_, at) => follow(`client ${at}`)))
  await sleep(MS / 4)
  await runSql(connection, CUT_LISTENERS)
  await sleep(MS / 4)
  await nodes[1]?.stop()
  nodes[1] = await startNode()
  const seen = await following
  const { ids } = await findNewest()
  const expected = ids.filter(id => id > startId)
  expect(expected.length).toBeGreaterThan(20)
  for (const ofClient of seen) expect(ofClient).toEqual(expected)
})
