import type { Address } from '@slipway/schema/address'
import { LAUNCH_STATUSES } from '@slipway/schema/launch'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { saveActivity, saveActivitySources } from '../store/activity.ts'
import { saveBuckets } from '../store/buckets.ts'
import type { Database } from '../store/database.ts'
import { foldLaunchCounts } from '../store/launch-counts.ts'
import { insertLaunches, setHidden, setSpotlight } from '../store/launches.ts'
import { LAUNCH_ORDERS } from '../store/list-launches.ts'
import { addressOf, launchRows, MINUTE_MS } from '../testing/launch-rows.ts'
import {
  listNaively,
  type NaiveLaunch,
  type NaiveQuery,
  placeOf,
  readNaively,
} from '../testing/naive-pages.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { createLaunchList, type LaunchList } from './launch-list.ts'

const NATIVE = 'So11111111111111111111111111111111111111112' as Address
const MECHANICS = ['launchpoolV2', 'presaleV2', 'bondingCurveV2'] as const
const CREATORS = [addressOf('creator 0'), addressOf('creator 1')] as const
/** Later than the database's clock for as long as a test takes, because the store keeps which launches have started. */
const START_MS = Math.floor(Date.now() / MINUTE_MS + 10) * MINUTE_MS

/** Reproducible, so that a failure's seed replays it. */
function createRandom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * below)
  }
}
type Random = ReturnType<typeof createRandom>

const minutes = (count: number) => new Date(START_MS + count * MINUTE_MS)

/** Launches with many equal keys, of which some are hidden, some have no figures and some start within minutes. */
async function fill(database: Database, random: Random, count: number) {
  const rows = Array.from({ length: count }, (_, at) =>
    launchRows(`launch ${at}`, {
      network: random(6) === 0 ? 'chain-devnet' : 'chain-mainnet',
      mechanic: MECHANICS[random(3)] ?? 'presaleV2',
      spotlight: random(3) === 0,
      hidden: random(10) === 0,
      startsAt: minutes(random(12) - 6),
      endsAt: random(4) === 0 ? new Date('9999-12-31T23:59:59.999Z') : minutes(random(20) - 6),
      graduatedAt: random(4) === 0 ? minutes(-1) : null,
      lastActivityAt: minutes(-random(8)),
      registeredAt: minutes(-10 - random(8)),
    }),
  )
  await insertLaunches(database, rows)
  for (const [at, { launch }] of rows.entries()) {
    if (random(3) > 0) await move(database, random, `${launch.id}`, 1)
    await database.run('test', db =>
      saveBuckets(db, [
        {
          network: launch.network,
          address: addressOf(`bucket ${at}`),
          genesisAddress: launch.genesisAddress,
          kind: launch.mechanic,
          creatorFeeWallet: CREATORS[random(3)] ?? null,
          slot: 1,
        },
      ]),
    )
  }
  return rows.map(({ launch }) => launch)
}

async function move(database: Database, random: Random, launchId: string, slot: number) {
  const isNative = random(2) === 0
  await database.transact('test', async db => {
    await saveActivitySources(db, [
      {
        launchId,
        quoteMint: isNative ? NATIVE : addressOf('token'),
        quoteDecimals: isNative ? 9 : random(2) * 6,
        baseDecimals: 6,
        goal: null,
        pool: null,
      },
    ])
    await saveActivity(db, [
      {
        launchId,
        slot,
        time: new Date(START_MS + slot),
        raised: `${random(4) * 1_000_000_000}`,
        sold: '0',
        supply: '1',
        priceQuote: null,
        priceBase: null,
        progress: random(4) === 0 ? null : random(5) * 250_000,
        participants: null,
        creatorFees: `${slot}`,
      },
    ])
  })
}

const queries = fc.record({
  network: fc.constantFrom('chain-mainnet', 'chain-devnet'),
  filter: fc.record({
    status: fc.constantFrom(undefined, ...LAUNCH_STATUSES),
    spotlight: fc.constantFrom(undefined, true, false),
    mechanic: fc.constantFrom(undefined, ...MECHANICS),
    closed: fc.constantFrom(undefined, undefined, true, false),
  }),
  order: fc.constantFrom(...LAUNCH_ORDERS),
  creator: fc.constantFrom(undefined, undefined, ...CREATORS),
}) as fc.Arbitrary<NaiveQuery>

async function readPages(
  list: LaunchList,
  query: NaiveQuery,
  limit: number,
  between: () => Promise<unknown> = async () => {},
): Promise<{ addresses: Address[]; totals: number[] }> {
  const addresses: Address[] = []
  const totals: number[] = []
  for (let cursor: string | undefined; ; await between()) {
    const { data, page } = await list.find({ ...query, limit, cursor })
    addresses.push(...data.map(({ launch }) => launch.genesisAddress))
    totals.push(page.total)
    if (page.next === null) return { addresses, totals }
    cursor = page.next
  }
}

/** Ended launches with equal ends are in either order, as long as all pages agree. */
const groupsOf = (launches: readonly NaiveLaunch[], { order }: NaiveQuery, nowMs: number) => {
  const hasEnded = ({ endMs }: NaiveLaunch) => order === 'ending' && endMs <= nowMs
  return launches.map(launch => (hasEnded(launch) ? `ended ${launch.endMs}` : launch.address))
}

test('the pages of every order and filter add up to the result of a plain filter and sort, at any time', async () => {
  const { database } = await createTestDatabase()
  await fill(database, createRandom(1), 70)
  const known = await readNaively(database)
  const byAddress = new Map(known.map(launch => [launch.address, launch]))
  let nowMs = START_MS
  const list = createLaunchList({ database, launchPage: '', clock: () => nowMs })
  await fc.assert(
    fc.asyncProperty(
      queries,
      fc.integer({ min: 1, max: 30 }),
      fc.nat({ max: 8 }),
      async (query, limit, minute) => {
        // Later than the phases in the store.
        nowMs = START_MS + minute * MINUTE_MS
        await foldLaunchCounts(database)
        const expected = listNaively(known, query, nowMs)
        const { addresses, totals } = await readPages(list, query, limit)
        const found = addresses.map(address => byAddress.get(address) as NaiveLaunch)
        expect(groupsOf(found, query, nowMs)).toEqual(groupsOf(expected, query, nowMs))
        expect(new Set(addresses).size).toBe(addresses.length)
        expect(new Set(totals)).toEqual(new Set([expected.length]))
      },
    ),
    { numRuns: 40 },
  )
})

test('while others move, pages neither skip nor repeat a launch that keeps its place', async () => {
  const { database } = await createTestDatabase()
  const random = createRandom(2)
  const launches = await fill(database, random, 60)
  let nowMs = START_MS
  let slot = 1
  const list = createLaunchList({ database, launchPage: '', clock: () => nowMs })

  /** Makes one of the changes that can move a launch. */
  async function change() {
    slot += 1
    // Starts and ends pass.
    nowMs += random(2) * MINUTE_MS
    const { id, network, genesisAddress } = launches[random(launches.length)] as (typeof launches)[number]
    const set = (assignment: string) =>
      database.run('test', db => db.execute(sql.raw(`UPDATE launches SET ${assignment} WHERE id = '${id}'`)))
    const changes = [
      () => move(database, random, `${id}`, slot),
      () => set(`last_activity_at = to_timestamp(${START_MS / 1_000 + slot})`),
      () => set('graduated_at = now()'),
      () => set(`ends_at = to_timestamp(${START_MS / 1_000 + random(900)})`),
      () => set(`starts_at = to_timestamp(${START_MS / 1_000 + random(600) - 300})`),
      () => setSpotlight(database, network, genesisAddress, random(2) === 0),
      () => setHidden(database, network, genesisAddress, random(2) === 0),
      () => insertLaunches(database, [launchRows(`late ${slot}`, { lastActivityAt: minutes(-random(8)) })]),
      () =>
        database.run('test', db =>
          db.execute(sql.raw(`DELETE FROM launch_activity WHERE launch_id = '${id}'`)),
        ),
    ]
    await changes[random(changes.length)]?.()
    list.changed()
  }

  await fc.assert(
    fc.asyncProperty(queries, fc.integer({ min: 3, max: 12 }), async (query, limit) => {
      const states: { known: NaiveLaunch[]; nowMs: number }[] = []
      const note = async () => states.push({ known: await readNaively(database), nowMs })
      await note()
      const { addresses } = await readPages(list, query, limit, async () => {
        await change()
        await note()
      })
      const seen = new Map<Address, number>()
      for (const address of addresses) seen.set(address, (seen.get(address) ?? 0) + 1)
      // In the order `ending`, places are as of the first page.
      const asOfMs = states[0]?.nowMs ?? 0
      const places = states.map(({ known, nowMs }) => {
        const matching = listNaively(known, query, nowMs)
        return new Map(matching.map(launch => [launch.address, `${placeOf(launch, query.order, asOfMs)}`]))
      })
      for (const [address, place] of places[0] ?? []) {
        const isStill = places.every(later => later.get(address) === place)
        if (isStill) expect({ address, seen: seen.get(address) }).toEqual({ address, seen: 1 })
      }
    }),
    { numRuns: 30 },
  )
})

test('a launch that starts between two pages moves from upcoming to live at that very moment', async () => {
  const { database } = await createTestDatabase()
  const names = ['a', 'b', 'c', 'd']
  await insertLaunches(
    database,
    names.map((name, at) =>
      launchRows(name, { startsAt: minutes(60), lastActivityAt: minutes(-at), registeredAt: minutes(-at) }),
    ),
  )
  let nowMs = minutes(60).getTime() - 1
  const list = createLaunchList({ database, launchPage: '', clock: () => nowMs })
  const find = async (status: 'upcoming' | 'live', cursor?: string) => {
    const { data, page } = await list.find({
      network: 'chain-mainnet',
      filter: { status },
      order: 'activity',
      limit: 2,
      cursor,
    })
    return {
      names: data.map(({ baseToken }) => baseToken.name),
      statuses: data.map(({ launch }) => launch.status),
      page,
    }
  }
  const first = await find('upcoming')
  expect(first).toMatchObject({ names: ['a', 'b'], statuses: ['upcoming', 'upcoming'], page: { total: 4 } })
  expect(await find('live')).toMatchObject({ names: [], page: { total: 0, next: null } })
  nowMs += 1
  expect(await find('upcoming', `${first.page.next}`)).toMatchObject({
    names: [],
    page: { total: 0, next: null },
  })
  const live = await find('live')
  expect(live).toMatchObject({ names: ['a', 'b'], statuses: ['live', 'live'], page: { total: 4 } })
  // The start is written later, and changes nothing.
  await database.run('test', db => db.execute(sql`UPDATE launch_listing SET phase = 1`))
  expect(await find('live', `${live.page.next}`)).toMatchObject({
    names: ['c', 'd'],
    page: { total: 4, next: null },
  })
})

test('the number of closed launches may be old, but is never above that of live ones', async () => {
  const { database } = await createTestDatabase()
  await insertLaunches(
    database,
    ['a', 'b', 'c'].map(name => launchRows(name, { startsAt: minutes(-60), endsAt: minutes(-30) })),
  )
  let nowMs = START_MS
  const list = createLaunchList({ database, launchPage: '', clock: () => nowMs })
  const query = { network: 'chain-mainnet', order: 'activity', limit: 5, counts: true } as const
  const find = async (closed: boolean) => {
    const { page } = await list.find({ ...query, filter: { status: 'live', closed } })
    return { total: page.total, live: page.counts?.live, closed: page.counts?.closed }
  }
  expect(await find(true)).toEqual({ total: 3, live: 3, closed: 3 })
  const graduate = (name: string) =>
    database.run('test', db =>
      db.execute(
        sql`UPDATE launches SET graduated_at = now() WHERE genesis_address = ${addressOf(`launch ${name}`)}`,
      ),
    )
  await graduate('a')
  await graduate('b')
  expect(await find(true)).toEqual({ total: 1, live: 1, closed: 1 })
  expect(await find(false)).toEqual({ total: 0, live: 1, closed: 1 })
  await insertLaunches(database, [launchRows('d', { startsAt: minutes(-60), endsAt: minutes(-30) })])
  await graduate('c')
  await insertLaunches(database, [launchRows('e', { startsAt: minutes(-60), endsAt: minutes(30) })])
  expect(await find(true)).toEqual({ total: 2, live: 2, closed: 2 })
  nowMs += 5_001
  expect(await find(true)).toEqual({ total: 1, live: 2, closed: 1 })
})

test('a cursor is refused unless it comes from a page with the same order and filters', async () => {
  const { database } = await createTestDatabase()
  await insertLaunches(
    database,
    ['a', 'b', 'c'].map(name => launchRows(name)),
  )
  const list = createLaunchList({ database, launchPage: '' })
  const query = { network: 'chain-mainnet' as const, filter: {}, order: 'raised' as const, limit: 1 }
  const { page } = await list.find(query)
  const cursor = `${page.next}`
  const refused = { code: 'INVALID_CURSOR' }
  for (const other of [
    { order: 'progress' as const },
    { network: 'chain-devnet' as const },
    { filter: { status: 'live' as const } },
    { filter: { spotlight: false } },
    { filter: { mechanic: 'presaleV2' as const } },
    { filter: { closed: false } },
    { text: 'a' },
    { creator: CREATORS[0] },
  ])
    await expect(list.find({ ...query, ...other, cursor })).rejects.toMatchObject(refused)
  const [of, key, address, score, asOfMs] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  for (const forged of [
    'x',
    '[]',
    'null',
    [of, '1e400', address, score, asOfMs],
    [of, "1'; DROP TABLE launches", address, score, asOfMs],
    [of, 1, address, score, asOfMs],
    [of, key, 'nowhere', score, asOfMs],
    [of, key, address, 'high', asOfMs],
    [of, key, address, score, 1e300],
    [of],
  ]) {
    const text = typeof forged === 'string' ? forged : JSON.stringify(forged)
    const bad = Buffer.from(text).toString('base64url')
    await expect(list.find({ ...query, cursor: bad })).rejects.toMatchObject(refused)
  }
  // Another size of page is fine.
  const rest = await list.find({ ...query, limit: 5, cursor })
  expect(rest.data.length).toBe(2)
})
