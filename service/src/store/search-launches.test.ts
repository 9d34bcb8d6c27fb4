import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addressOf, launchRows } from '../testing/launch-rows.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import type { Database } from './database.ts'
import { correctLaunch, insertLaunches, setHidden } from './launches.ts'
import { launchFlags } from './list-launches.ts'
import { searchLaunches } from './search-launches.ts'
import { toQueryWords } from './search-names.ts'

const TOKENS: [name: string, symbol: string][] = [
  ['Tidewatch', 'TIDE'],
  ['Tide Pool', 'POOL'],
  ['Night Heron', 'HERON'],
  ['Patchbot', 'PATCH'],
  ['Café Müller', 'CAFÉ'],
  ['Кот учёный', 'КОТ'],
  ['北京', '北'],
  ['Ⅷ 🚢 Ship', 'SHP'],
]

async function start() {
  const { database } = await createTestDatabase()
  await insertLaunches(
    database,
    TOKENS.map(([name, symbol]) => launchRows(name, {}, { symbol })),
  )
  return database
}

async function find(database: Database, text: string, { isFuzzy = true, flags = ALL } = {}) {
  const search = { text, words: toQueryWords(text), flags, also: [] }
  const scores = await searchLaunches(database, 'chain-mainnet', search, { isFuzzy })
  const { rows } = await database.run('test', db =>
    db.execute<{ id: string; name: string }>(
      sql`SELECT launches.id, name FROM launches JOIN tokens USING (network, mint)`,
    ),
  )
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return [...scores.keys()].map(id => names.get(id))
}

const ALL = Object.values(launchFlags({})).flat()

test('whole names and symbols come first, then beginnings, then similar words', async () => {
  const database = await start()
  expect(await find(database, 'tide')).toEqual(['Tidewatch', 'Tide Pool'])
  expect(await find(database, 'pool')).toEqual(['Tide Pool'])
  expect((await find(database, 'heron'))[0]).toBe('Night Heron')
})

test('a search tolerates typos, accents, case and other scripts', async () => {
  const database = await start()
  const cases = [
    ['tidewtch', 'Tidewatch'],
    ['tidewathc', 'Tidewatch'],
    ['nigth heron', 'Night Heron'],
    ['pachbot', 'Patchbot'],
    ['PATHC', 'Patchbot'],
    ['cafe muller', 'Café Müller'],
    ['кот ученый', 'Кот учёный'],
    ['КОТ', 'Кот учёный'],
    ['кот учоный', 'Кот учёный'],
    ['北', '北京'],
    ['🚢', 'Ⅷ 🚢 Ship'],
    ['viii', 'Ⅷ 🚢 Ship'],
  ]
  for (const [query = '', name] of cases)
    expect({ query, first: (await find(database, query))[0] }).toEqual({ query, first: name })
})

test('an address or a mint is found by its beginning, as written', async () => {
  const database = await start()
  for (const address of [addressOf('launch Patchbot'), addressOf('mint Patchbot')]) {
    expect(await find(database, address)).toEqual(['Patchbot'])
    expect((await find(database, address.slice(0, 6)))[0]).toBe('Patchbot')
    expect(await find(database, address, { isFuzzy: false })).toEqual(['Patchbot'])
  }
  expect(await find(database, addressOf('launch nobody'), { isFuzzy: false })).toEqual([])
})

test('a launch that is shown again is found by words that are not ASCII', async () => {
  const database = await start()
  const address = addressOf('launch Кот учёный')
  await setHidden(database, 'chain-mainnet', address, true)
  await setHidden(database, 'chain-mainnet', address, false)
  expect(await find(database, 'учёный')).toEqual(['Кот учёный'])
})

test('unrelated words, mere punctuation, other filters and hidden launches find nothing', async () => {
  const database = await start()
  for (const query of ['zzzzqqq', '%', '%%%', '_', '***', '\\', "'"])
    expect(await find(database, query)).toEqual([])
  const flags = Object.values(launchFlags({ spotlight: true })).flat()
  expect(await find(database, 'tidewatch', { flags })).toEqual([])
  await setHidden(database, 'chain-mainnet', addressOf('launch Tidewatch'), true)
  expect(await find(database, 'tidewatch')).not.toContain('Tidewatch')
})

test('without pg_trgm, names and symbols that start with the query are found', async () => {
  const database = await start()
  expect((await find(database, 'TIDE', { isFuzzy: false })).toSorted()).toEqual(['Tide Pool', 'Tidewatch'])
  expect(await find(database, 'watch', { isFuzzy: false })).toEqual([])
})

test('a launch is found by its corrected name, whatever its letters', async () => {
  const database = await start()
  const { launch, token } = launchRows('Patchbot')
  const { network, genesisAddress, mint, startsAt, endsAt, graduatedAt, mechanic } = launch
  await correctLaunch(
    database,
    { network, genesisAddress, mint },
    {
      launch: { startsAt, endsAt, graduatedAt: graduatedAt ?? null, mechanic, slot: 5 },
      token: { ...token, name: 'Ёжик', symbol: 'ЁЖ' },
      buckets: [],
    },
  )
  expect(await find(database, 'ежик')).toEqual(['Ёжик'])
  expect(await find(database, 'patchbot')).toEqual([])
})
