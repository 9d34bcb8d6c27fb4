import { expect, test } from 'vitest'
import { saveTestAgent } from '../testing/agent-rows.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { setAgentHidden } from './curated-agents.ts'
import type { Database } from './database.ts'
import { matchingFlags } from './list-agents.ts'
import { searchAgents } from './search-agents.ts'
import { toQueryWords } from './search-names.ts'

const AGENTS: [name: string, description: string][] = [
  ['Tidewatch', 'Tide tables and small-craft warnings for harbours.'],
  ['Tidewatch Pro', 'The paid one.'],
  ['Harbour Cat', 'Sleeps on the quay. Follows tidewatch for the fish.'],
  ['Night Heron', 'A patient trader.'],
  ['Café Müller', 'Orders coffee.'],
  ['Кот учёный', 'Ходит по цепи.'],
  ['北京助手', '订票'],
  ['🤖 Beep', 'Robot.'],
]

async function start() {
  const { database } = await createTestDatabase()
  const names = new Map<string, string>()
  for (const [name, description] of AGENTS)
    names.set((await saveTestAgent(database, name, { display: { name, description } })).address, name)
  return { database, names }
}

async function find(
  { database, names }: { database: Database; names: Map<string, string> },
  query: string,
  isFuzzy = true,
) {
  const search = { words: toQueryWords(query), flags: matchingFlags({}), order: 'latest' as const }
  const found = await searchAgents(database, 'chain-mainnet', search, { isFuzzy })
  return found.map(address => names.get(address))
}

test('an exact name comes first, then names that start with the query, then descriptions', async () => {
  const store = await start()
  expect(await find(store, 'tidewatch')).toEqual(['Tidewatch', 'Tidewatch Pro', 'Harbour Cat'])
})

test('a search tolerates typos, accents, case and other scripts', async () => {
  const store = await start()
  const cases = [
    ['tidewtch', 'Tidewatch'],
    ['tidewathc', 'Tidewatch'],
    ['nigth heron', 'Night Heron'],
    ['herron', 'Night Heron'],
    ['cafe muller', 'Café Müller'],
    ['CAFÉ', 'Café Müller'],
    ['harbor cat', 'Harbour Cat'],
    ['warnigns', 'Tidewatch'],
    ['кот ученый', 'Кот учёный'],
    ['кот учоный', 'Кот учёный'],
    ['北京', '北京助手'],
    ['🤖', '🤖 Beep'],
  ]
  for (const [query = '', name] of cases)
    expect({ query, first: (await find(store, query))[0] }).toEqual({ query, first: name })
})

test('a typo is tolerated even if it is a word of a hidden agent or of another network', async () => {
  const store = await start()
  const { network, address } = await saveTestAgent(store.database, 'tidewtch')
  await setAgentHidden(store.database, network, address, true)
  await saveTestAgent(store.database, 'herron', { network: 'chain-devnet' })
  expect((await find(store, 'tidewtch'))[0]).toBe('Tidewatch')
  expect(await find(store, 'herron')).toEqual(['Night Heron'])
})

test('an agent with the word as written comes before agents with similar words', async () => {
  const store = await start()
  const { address } = await saveTestAgent(store.database, 'Herron')
  store.names.set(address, 'Herron')
  expect(await find(store, 'herron')).toEqual(['Herron', 'Night Heron'])
})

test('a word that no agent has is ignored', async () => {
  expect(await find(await start(), 'tidewatch zzzzqqq')).toEqual([
    'Tidewatch',
    'Tidewatch Pro',
    'Harbour Cat',
  ])
})

test('unrelated words and mere punctuation find nothing', async () => {
  const store = await start()
  for (const query of ['zzzzqqq', '%', '%%%', '_', '***', '\\', "'"])
    expect(await find(store, query)).toEqual([])
})

test('without pg_trgm, names that start with the query are found', async () => {
  const store = await start()
  expect(await find(store, 'TIDE', false)).toEqual(['Tidewatch Pro', 'Tidewatch'])
  expect(await find(store, 'watch', false)).toEqual([])
})

test('a search returns only agents with the given properties', async () => {
  const { database } = await start()
  const search = { words: 'tidewatch', flags: matchingFlags({ verified: true }), order: 'latest' as const }
  expect(await searchAgents(database, 'chain-mainnet', search, { isFuzzy: true })).toEqual([])
  const everywhere = { ...search, flags: matchingFlags({}) }
  expect(await searchAgents(database, 'chain-devnet', everywhere, { isFuzzy: true })).toEqual([])
})

test('a sentence finds the agents that have the most of its words, in whatever form', async () => {
  const store = await start()
  const { address } = await saveTestAgent(store.database, 'Quay Master', {
    display: { name: 'Quay Master', description: 'Berths.', keywords: 'tide predictions mooring' },
  })
  store.names.set(address, 'Quay Master')
  const sentence = 'Find me an agent that watches tides in harbours, please'
  const found = await find(store, sentence)
  expect(found.slice(0, 2)).toEqual(['Tidewatch', 'Harbour Cat'])
  expect(found.slice(2).sort()).toEqual(['Quay Master', 'Tidewatch Pro'])
  expect((await find(store, 'who predicts the tide?'))[0]).toBe('Quay Master')
  expect(await find(store, 'who is it')).toEqual([])
})
