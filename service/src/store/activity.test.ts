import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { type NewActivity, readActivity, saveActivity, saveActivitySources } from './activity.ts'
import { forgetSlotsAfter } from './chain-progress.ts'
import { compactActivity } from './compact-activity.ts'
import { insertLaunches } from './launches.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const startMs = Date.parse('2026-01-01T00:00:00.000Z')
const key = { network: 'chain-mainnet' as const, genesisAddress: addressOf('launch one') }

async function prepare() {
  const { database, connection } = await createTestDatabase()
  const launchId = randomUUID()
  await insertLaunches(database, [launchRows('one', { id: launchId })])
  const save = (slot: number, atMs: number, raised: bigint | number) =>
    database.transact('test', db => saveActivity(db, [state(launchId, slot, atMs, raised)]))
  /** The state at the end of each interval of this length, from the start until `untilMs`. */
  async function series(lengthMs: number, untilMs: number) {
    const count = Math.ceil((untilMs - startMs) / lengthMs)
    const ends = Array.from({ length: count }, (_, at) => new Date(startMs + (at + 1) * lengthMs))
    const read = await readActivity(database, key, ends)
    return read?.points.map(point => point?.raised)
  }
  const rows = async () =>
    (await runSql(connection, 'SELECT raised, detail, slot FROM launch_activity ORDER BY time, slot')).rows
  const clear = () => runSql(connection, 'TRUNCATE launch_activity')
  return { database, connection, launchId, save, clear, series, rows }
}

const state = (launchId: string, slot: number, atMs: number, raised: bigint | number): NewActivity => ({
  launchId,
  slot,
  time: new Date(startMs + atMs),
  raised: `${raised}`,
  sold: '0',
  supply: `${2n ** 64n - 1n}`,
  priceQuote: null,
  priceBase: null,
  progress: null,
  participants: null,
  creatorFees: null,
})

test('a state is added once, and never after a newer one', async () => {
  const { save, clear, rows } = await prepare()
  await save(10, 1_000, 5)
  await save(10, 1_000, 5)
  await save(20, 1_000, 5)
  await save(30, 9_000, 5)
  expect(await rows()).toMatchObject([{ raised: '5', slot: '10' }])
  await save(5, 500, 4)
  expect(await rows()).toMatchObject([{ raised: '5', slot: '10' }])
  // A slot that is still open has several states.
  await save(10, 1_000, 6)
  expect(await rows()).toMatchObject([{ raised: '6', slot: '10' }])
  await clear()
  await save(20, 2_000, 2n ** 64n - 1n)
  expect(await rows()).toMatchObject([{ raised: '18446744073709551615' }])
})

test('a change that was rolled back disappears, unless it was final', async () => {
  const { save, clear, rows, series } = await prepare()
  await save(10, 1_000, 5)
  await save(20, 5_000, 6)
  await save(60, 1_000, 5)
  expect(await rows()).toMatchObject([{ raised: '5', slot: '10' }])
  // Another change took its place, or a node that is behind reported too early a time for it.
  await save(70, 8_000, 9)
  await save(100, 7_000, 8)
  expect(await rows()).toMatchObject([{ raised: '5' }, { raised: '9' }, { raised: '8', slot: '100' }])
  expect(await series(1_000, startMs + 10_000)).toEqual([undefined, ...Array(7).fill('5'), '8', '8'])

  // A node shows a state from long ago. It is stored with the time of the last correct state, which follows it again.
  await clear()
  await save(10, 1_000, 5)
  await save(20, 5_000, 6)
  await save(2_000, 1_000, 5)
  await save(2_001, 5_000, 6)
  expect(await rows()).toMatchObject([
    { raised: '5', slot: '10' },
    { raised: '6', slot: '20' },
    { raised: '5', slot: '2000' },
    { raised: '6', slot: '2001' },
  ])
})

test('a launch has no state before the first one, and a hidden, unknown or deleted launch has none', async () => {
  const { database, connection, launchId, save, series, rows } = await prepare()
  expect(await readActivity(database, key, [])).toMatchObject({ current: undefined, quoteMint: null })
  await save(10, 90_000, 5)
  expect(await series(60_000, startMs + 180_000)).toEqual([undefined, '5', '5'])
  expect(await readActivity(database, { ...key, network: 'chain-devnet' }, [])).toBeUndefined()
  await runSql(connection, 'UPDATE launches SET hidden = true')
  expect(await readActivity(database, key, [])).toBeUndefined()
  const source = { launchId, quoteMint: null, quoteDecimals: 9, baseDecimals: 6, goal: null, pool: null }
  await database.run('test', db => saveActivitySources(db, [source]))
  await runSql(connection, 'DELETE FROM launches')
  expect(await rows()).toEqual([])
  expect((await runSql(connection, 'SELECT FROM activity_sources')).rowCount).toBe(0)
})

test('states from slots that the chain has not reached can be forgotten, and the launch is then read again', async () => {
  const { database, connection, launchId, save, rows } = await prepare()
  const source = { launchId, quoteMint: null, quoteDecimals: 9, baseDecimals: 6, goal: null, pool: null }
  await database.run('test', db => saveActivitySources(db, [source]))
  await save(10, 1_000, 5)
  await save(1_000_000, 2_000, 6)
  await forgetSlotsAfter(database, 'chain-devnet', 500)
  expect(await rows()).toHaveLength(2)
  await forgetSlotsAfter(database, 'chain-mainnet', 500)
  expect(await rows()).toMatchObject([{ raised: '5' }])
  expect((await runSql(connection, 'SELECT FROM activity_sources')).rowCount).toBe(0)
})

test('compaction keeps the last state of every hour of the last month and of every earlier day, even if interrupted', async () => {
  const { connection, database, launchId, series, rows } = await prepare()
  const seed = Date.now() % 1e6
  const nowMs = startMs + 40 * DAY_MS + 12 * HOUR_MS + 1
  const untilMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  const times = fc.sample(
    fc.oneof(
      fc.integer({ min: 0, max: 40 * DAY_MS }),
      fc.integer({ min: 39 * DAY_MS, max: 40 * DAY_MS }),
      fc.integer({ min: 3 * DAY_MS, max: 3 * DAY_MS + 2 * HOUR_MS }),
    ),
    { numRuns: 500, seed },
  )
  const sorted = times.toSorted((a, b) => a - b).map(ms => Math.floor(ms / 1_000) * 1_000)
  await runSql(
    connection,
    `INSERT INTO launch_activity (launch_id, time, slot, raised, sold, supply)
     SELECT '${launchId}', to_timestamp((${startMs} + ms) / 1000), place, place, 0, 0
     FROM unnest('{${sorted.join()}}'::bigint[]) WITH ORDINALITY AS state (ms, place)`,
  )
  const hours = await series(HOUR_MS, untilMs)
  const days = await series(DAY_MS, untilMs)
  const detailed = (await rows()).length

  const later = { ...database, nowMs: () => nowMs }
  const failing = {
    ...later,
    transact: (name: string, work: Parameters<typeof database.transact>[1]) =>
      database.transact(name, async db => {
        await work(db)
        throw new Error('interrupted')
      }),
  }
  let left = 1
  for (let round = 0; left > 0; round += 1) {
    if (round % 3 === 0) await expect(compactActivity(failing as never, { limit: 50 })).rejects.toThrow()
    left = await compactActivity(later, { limit: 50 })
    if (round === 5) expect(await series(DAY_MS, untilMs)).toEqual(days)
  }
  const monthStart = 10 * 24 + 12
  expect((await series(HOUR_MS, untilMs))?.slice(monthStart), `seed ${seed}`).toEqual(
    hours?.slice(monthStart),
  )
  expect(await series(DAY_MS, untilMs), `seed ${seed}`).toEqual(days)
  const kept = await rows()
  expect(kept.length).toBeLessThan(detailed)
  // Every state of the last day, one per hour of the month before that, and one per day of the time before that.
  const { rows: counts } = await runSql(
    connection,
    `SELECT detail, max(count)::int AS most, sum(count)::int AS count FROM (
       SELECT detail, count(*) FROM launch_activity
       GROUP BY detail, CASE detail WHEN 0 THEN time WHEN 1 THEN date_trunc('hour', time, 'UTC') ELSE date_trunc('day', time, 'UTC') END
     ) AS kept GROUP BY detail ORDER BY detail`,
  )
  const recent = sorted.filter(ms => startMs + ms >= Math.floor((nowMs - DAY_MS) / HOUR_MS) * HOUR_MS)
  expect(counts[0]?.count).toBe(recent.length)
  expect(counts.slice(1)).toMatchObject([{ most: 1 }, { most: 1 }])
})

test('a state that arrives after its hour was compacted takes the place of an earlier one', async () => {
  const { database, save, rows } = await prepare()
  const later = { ...database, nowMs: () => startMs + 3 * DAY_MS }
  await save(10, 1_000, 5)
  await compactActivity(later)
  expect(await rows()).toMatchObject([{ raised: '5', detail: 1 }])
  await save(20, 2_000, 6)
  await save(30, 3_000, 7)
  await compactActivity(later)
  expect(await rows()).toMatchObject([{ raised: '7', detail: 1 }])
  expect(await compactActivity(later)).toBe(0)
})
