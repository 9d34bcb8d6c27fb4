import type { Address } from '@slipway/schema/address'
import pLimit from 'p-limit'
import { expect, test } from 'vitest'
import { sha256Of } from '../metadata/own-documents.ts'
import { saveTestAgent } from '../testing/agent-rows.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { listDueRefreshes, recordRefresh } from './agent-refreshes.ts'
import { saveBuckets } from './buckets.ts'
import { saveProgress } from './chain-progress.ts'
import { claimDocument, findHostedBody, findHostedDocument, removeDocument } from './hosted-documents.ts'
import { saveIndexedAgents } from './indexed-agents.ts'
import { matchingFlags } from './list-agents.ts'
import { savePendingDocument } from './pending-documents.ts'
import { searchAgents } from './search-agents.ts'

const network = 'chain-mainnet'
const PENDING = { clientCountMax: 3, clientBytesMax: 10_000, freeShare: 10, countMax: 6, bytesMax: 20_000 }
const RULES = {
  uriPatterns: [
    'https://slipway.example/v1/documents/{sha256}.json',
    'https://old.example/v1/documents/{sha256}.json',
  ],
  budgets: { ownerBytesMax: Number.POSITIVE_INFINITY, devnetBytesMax: Number.POSITIVE_INFINITY },
}

const OWNER = addressOf('owner')

async function openTest() {
  const { database, connection } = await createTestDatabase()
  const run = (statement: string) => runSql(connection, statement)
  const prepare = (
    name: string,
    { client = 'one', bytes = 10, asset = addressOf(name), card = '', pending = PENDING } = {},
  ) => {
    const body = Buffer.from(JSON.stringify(name).padEnd(bytes))
    const document = { sha256: sha256Of(body), network, asset, body, client, owner: OWNER } as const
    return savePendingDocument(
      database,
      { ...document, card: card ? Buffer.from(card) : undefined },
      { ...RULES, pending },
    )
  }
  return {
    database,
    run,
    prepare,
    hashOf: (name: string, bytes = 10) => sha256Of(Buffer.from(JSON.stringify(name).padEnd(bytes))),
    /** Stores an agent as the index does. */
    index(name: string, agentUri: string) {
      const facts = { owner: OWNER, authority: null, name: '', uri: '', agentToken: null }
      const agent = { address: addressOf(name), ...facts, agentUri, identityVersion: 2, slot: 1 }
      return saveIndexedAgents(database, network, [agent])
    },
    /** Makes every document this much older. */
    age: (interval: string) => run(`UPDATE documents SET prepared_at = prepared_at - interval '${interval}'`),
    async names(): Promise<string[]> {
      const { rows } = await run('SELECT body FROM documents ORDER BY prepared_at')
      return rows.map(({ body }) => JSON.parse(body.toString()))
    },
  }
}

test('a client at its limit is refused, and others are not', async () => {
  const { prepare } = await openTest()
  for (const name of ['a', 'b', 'c']) expect(await prepare(name)).toBe('saved')
  expect(await prepare('d')).toBe('client-full')
  expect(await prepare('d', { client: 'two' })).toBe('saved')
  // The same document again takes no more room.
  expect(await prepare('b')).toBe('saved')
  expect(await prepare('large', { client: 'three', bytes: 9_900 })).toBe('client-full')
})

test('if one client prepares 300 documents and the chain names none, at most 200 are kept', async () => {
  const { database, run } = await openTest()
  const limit = pLimit(10)
  const save = (at: number) => {
    const body = Buffer.from(`{"at":${at}}`)
    const asset = addressOf(`${at}`)
    const document = { sha256: sha256Of(body), network, asset, body, card: undefined, client: 'one' } as const
    return savePendingDocument(database, { ...document, owner: OWNER }, RULES)
  }
  const outcomes = await Promise.all(Array.from({ length: 300 }, (_, at) => limit(() => save(at))))
  const saved = outcomes.filter(outcome => outcome === 'saved').length
  // Concurrent calls may exceed the limit by one each.
  expect(saved).toBeGreaterThanOrEqual(200)
  expect(saved).toBeLessThan(210)
  expect(outcomes.filter(outcome => outcome === 'client-full')).toHaveLength(300 - saved)
  expect((await run('SELECT count(*)::int AS count FROM documents')).rows).toEqual([{ count: saved }])
})

test('all clients together are bounded too', async () => {
  const { prepare, names } = await openTest()
  for (let at = 0; at < 6; at += 1) expect(await prepare(`${at}`, { client: `${at}` })).toBe('saved')
  expect(await prepare('more', { client: 'another' })).toBe('full')
  expect(await names()).toHaveLength(6)
})

test('all clients together are bounded by size', async () => {
  const { prepare } = await openTest()
  for (const client of ['a', 'b']) expect(await prepare(client, { client, bytes: 9_000 })).toBe('saved')
  expect(await prepare('c', { client: 'c', bytes: 9_000 })).toBe('full')
  expect(await prepare('c', { client: 'c' })).toBe('saved')
})

test('after ten minutes the oldest documents make room, and no more of them than needed', async () => {
  const { prepare, age, names } = await openTest()
  for (let at = 0; at < 6; at += 1) {
    await prepare(`${at}`, { client: `${at}` })
    await age('2 minutes')
  }
  // They are 2, 4, 6, 8, 10 and 12 minutes old.
  await age('1 second')
  expect(await prepare('new', { client: 'new' })).toBe('saved')
  expect(await names()).toEqual(['1', '2', '3', '4', '5', 'new'])
  await age('1 second')
  expect(await prepare('next', { client: 'new' })).toBe('saved')
  expect(await prepare('last', { client: 'new' })).toBe('full')
  expect(await names()).toEqual(['2', '3', '4', '5', 'new', 'next'])
})

test("a client's own oldest document makes room for its next one, and not another client's", async () => {
  const { prepare, age, names } = await openTest()
  await prepare('older', { client: 'two' })
  await age('1 minute')
  for (const name of ['a', 'b', 'c']) {
    await prepare(name)
    // Times are stored in milliseconds.
    await age('1 second')
  }
  await age('11 minutes')
  expect(await prepare('d')).toBe('saved')
  expect((await names()).toSorted()).toEqual(['b', 'c', 'd', 'older'])
})

test('a document that is prepared again while it is being dropped stays', async () => {
  const { database, prepare, age, names, run, hashOf } = await openTest()
  for (const name of ['a', 'b', 'c']) {
    await prepare(name)
    await age('11 minutes')
  }
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  const saved = await database.transact('test', async db => {
    await db.execute(`UPDATE documents SET prepared_at = now() WHERE sha256 = '${hashOf('a')}'`)
    const saving = prepare('d')
    await expect.poll(async () => (await run(waiting)).rows.length, { timeout: 30_000 }).toBe(1)
    return { saving }
  })
  expect(await saved.saving).toBe('saved')
  expect((await names()).toSorted()).toEqual(['a', 'b', 'c', 'd'])
})

test('a document stays until the index has had ten minutes to see that the chain names it', async () => {
  const { database, prepare, age, names } = await openTest()
  const indexedMinutesAgo = (minutes: number) =>
    saveProgress(database, network, { slot: 1, at: new Date(Date.now() - minutes * 60_000) })
  for (const name of ['a', 'b', 'c']) await prepare(name)
  await age('2 hours')
  // The index stopped just after they were prepared.
  await indexedMinutesAgo(115)
  expect(await prepare('d')).toBe('client-full')
  expect(await names()).toHaveLength(3)
  await indexedMinutesAgo(0)
  expect(await prepare('d')).toBe('saved')
  expect(await names()).toEqual(['d'])
  // An index that was turned off blocks nothing for longer than a day.
  for (const name of ['e', 'f']) await prepare(name)
  await age('25 hours')
  await indexedMinutesAgo(26 * 60)
  expect(await prepare('g')).toBe('saved')
  expect(await names()).toEqual(['g'])
})

test('a document that the index has seen on the chain is kept and served, even if nothing has claimed it yet', async () => {
  const { database, prepare, age, names, hashOf, index } = await openTest()
  for (const name of ['seen', 'b', 'c']) await prepare(name)
  await index('seen', `https://slipway.example/v1/documents/${hashOf('seen')}.json`)
  await age('2 hours')
  await prepare('d')
  expect(await names()).toEqual(['seen', 'd'])
  expect(await findHostedDocument(database, hashOf('seen'))).toMatchObject({ isNamed: true })
})

test('an agent keeps only the one document whose exact URI it names, whatever else its URI contains', async () => {
  const { prepare, age, names, hashOf, index } = await openTest()
  const [asset, pending] = [addressOf('agent'), { ...PENDING, clientCountMax: 20, countMax: 20 }]
  const nine = Array.from({ length: 9 }, (_, at) => `${at}`)
  const uris = [
    `https://evil.example/?${nine.map(name => hashOf(name)).join(',')}`,
    `https://evil.example/v1/documents/${hashOf('0')}.json`,
    `https://slipway.example/v1/documents/${hashOf('0')}.json?${hashOf('1')}`,
    `https://slipway.example/v1/documents/${hashOf('0')}.json.json`,
    `https://slipway.example/other/v1/documents/${hashOf('0')}.json`,
  ]
  for (const uri of uris) {
    for (const name of nine) await prepare(name, { asset, pending })
    await index('agent', uri)
    await age('2 hours')
    await prepare('next', { pending })
    expect({ uri, names: await names() }).toEqual({ uri, names: ['next'] })
  }
  for (const name of nine) await prepare(name, { asset, pending })
  await index('agent', `https://old.example/v1/documents/${hashOf('4')}.json`)
  await age('2 hours')
  await prepare('next', { pending })
  expect((await names()).toSorted()).toEqual(['4', 'next'])
})

test('a document that the index has seen does not count as pending', async () => {
  const { prepare, hashOf, index } = await openTest()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    expect(await prepare(name)).toBe('saved')
    await index(name, `https://slipway.example/v1/documents/${hashOf(name)}.json`)
  }
})

const ROOMY = { ...PENDING, clientCountMax: 2, countMax: 1_000 }

test.each([
  ['a /56 of IPv6', 4, (at: number) => `2001:db8:1:${(0x2_00 + at).toString(16)}::/64`],
  ['a /48 of IPv6', 8, (at: number) => `2001:db8:1:${(at * 0x1_00).toString(16)}::/64`],
  ['a /24 of IPv4', 8, (at: number) => `203.0.113.${at}`],
])('%s can have no more than %i documents where one client can have two', async (_, most, clientOf) => {
  const { prepare } = await openTest()
  const outcomes: string[] = []
  for (let at = 0; at < 12; at += 1)
    outcomes.push(await prepare(`${at}`, { client: clientOf(at), pending: ROOMY }))
  expect(outcomes.filter(outcome => outcome === 'saved')).toHaveLength(most)
  expect(new Set(outcomes.slice(most))).toEqual(new Set(['client-full']))
  for (const client of ['2001:db8:2:0::/64', '203.0.114.1'])
    expect(await prepare(client, { client, pending: ROOMY })).toBe('saved')
})

test('the fuller the store, the less one client can have, so that many networks cannot fill it', async () => {
  const { prepare } = await openTest()
  const pending = { ...PENDING, clientCountMax: 10, freeShare: 1 / 8, countMax: 80, bytesMax: 1e9 }
  const counts: number[] = []
  for (let network = 0; network < 20; network += 1) {
    let count = 0
    const client = `2001:db8:${network}:0::/64`
    while ((await prepare(`${network} ${count}`, { client, bytes: 10, pending })) === 'saved') count += 1
    counts.push(count)
  }
  expect(counts[0]).toBe(9)
  expect(counts.at(-1)).toBe(1)
  expect(counts.reduce((sum, count) => sum + count)).toBeLessThan(78)
  expect(await prepare('honest', { client: '203.0.113.7', pending })).toBe('saved')
})

test('the document of a launch that the index has seen is kept for a day, until a registration claims it', async () => {
  const { database, prepare, age, names, hashOf } = await openTest()
  for (const name of ['seen', 'other']) await prepare(name)
  const bucket = { network, address: addressOf('bucket'), genesisAddress: addressOf('seen') } as const
  await database.run('test', db => saveBuckets(db, [{ ...bucket, kind: 'launchpoolV2', slot: 1 }]))
  await age('23 hours')
  await prepare('next')
  expect(await names()).toEqual(['seen', 'next'])
  expect(await findHostedDocument(database, hashOf('seen'))).toMatchObject({ isNamed: false })
  await age('2 hours')
  await prepare('last')
  expect(await names()).toEqual(['last'])
})

test('if a launch has several documents, only the last is kept for longer than an hour', async () => {
  const { database, prepare, age, names } = await openTest()
  const asset = addressOf('launch')
  const bucket = { network, address: addressOf('bucket'), genesisAddress: asset } as const
  await database.run('test', db => saveBuckets(db, [{ ...bucket, kind: 'launchpoolV2', slot: 1 }]))
  for (const name of ['a', 'b', 'c']) {
    await prepare(name, { asset })
    await age('2 hours')
  }
  await prepare('next')
  expect(await names()).toEqual(['c', 'next'])
})

test('a pending document is served for an hour, and a named one for good', async () => {
  const { database, prepare, age, hashOf, names } = await openTest()
  const [kept, dropped] = [hashOf('kept'), hashOf('dropped')]
  await prepare('kept')
  await prepare('dropped')
  expect(await findHostedDocument(database, kept)).toMatchObject({ isNamed: false })
  await age('59 minutes')
  expect(await findHostedDocument(database, dropped)).toBeDefined()
  expect(await claimDocument(database, network, { sha256: kept, asset: addressOf('kept') })).toEqual({
    card: null,
  })
  await age('2 minutes')
  expect(await findHostedDocument(database, kept)).toMatchObject({ isNamed: true })
  expect(await findHostedDocument(database, dropped)).toBeUndefined()
  await prepare('another')
  expect(await names()).toEqual(['kept', 'another'])
})

test('a named document does not count toward any limit', async () => {
  const { database, prepare, hashOf } = await openTest()
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
    expect(await prepare(name)).toBe('saved')
    await claimDocument(database, network, { sha256: hashOf(name), asset: addressOf(name) })
  }
})

test('only the account that a document was prepared for can claim it, on its own network', async () => {
  const { database, prepare, hashOf } = await openTest()
  await prepare('a', { card: '{"name":"A"}' })
  const sha256 = hashOf('a')
  const other = addressOf('other')
  expect(await claimDocument(database, network, { sha256, asset: other })).toBeUndefined()
  expect(await claimDocument(database, 'chain-devnet', { sha256, asset: addressOf('a') })).toBeUndefined()
  expect(await findHostedDocument(database, sha256)).toMatchObject({ isNamed: false })
  // Another client that prepares the same bytes for its own account gets its own row, without the card.
  await prepare('a', { asset: other })
  expect(await claimDocument(database, network, { sha256, asset: other })).toEqual({ card: null })
  expect(await claimDocument(database, network, { sha256, asset: addressOf('a') })).toEqual({
    card: Buffer.from('{"name":"A"}'),
  })
})

test('a removed document is gone, and refused from then on', async () => {
  const { database, prepare, hashOf, run } = await openTest()
  await prepare('a', { card: '{}' })
  const sha256 = hashOf('a')
  const asset: Address = addressOf('a')
  await claimDocument(database, network, { sha256, asset })
  expect(await removeDocument(database, sha256)).toBe(true)
  expect(await removeDocument(database, sha256)).toBe(false)
  expect(await findHostedDocument(database, sha256)).toBeUndefined()
  expect(await findHostedBody(database, sha256)).toBeUndefined()
  expect(await claimDocument(database, network, { sha256, asset })).toBeUndefined()
  expect(await prepare('a', { card: '{}' })).toBe('removed')
  const { rows } = await run('SELECT length(body) AS bytes, card FROM documents')
  expect(rows).toEqual([{ bytes: 0, card: null }])
})

test('a removed document cannot come back through another account', async () => {
  const { database, prepare, hashOf, run } = await openTest()
  await prepare('a')
  const sha256 = hashOf('a')
  await removeDocument(database, sha256)
  const asset = addressOf('other')
  expect(await prepare('a', { asset })).toBe('removed')
  // A concurrent request may have stored it after all.
  await run(`INSERT INTO documents (sha256, network, asset, body, card, size)
    VALUES ('${sha256}', '${network}', '${asset}', '"a"', '{}', 515)`)
  expect(await findHostedDocument(database, sha256)).toBeUndefined()
  expect(await findHostedBody(database, sha256)).toBeUndefined()
  expect(await claimDocument(database, network, { sha256, asset })).toBeUndefined()
})

test('a search does not find an agent by the text of a removed document', async () => {
  const { database, prepare, hashOf } = await openTest()
  await prepare('a')
  const agentUri = `https://slipway.example/v1/documents/${hashOf('a')}.json`
  const display = { name: 'Swindle', description: 'Steals fish.', hasServices: true }
  const { address } = await saveTestAgent(database, 'Heron', { agentUri, display })
  const other = await saveTestAgent(database, 'Other', { display })
  for (const agent of [address, other.address]) await recordRefresh(database, network, agent, true)
  await removeDocument(database, hashOf('a'))
  const find = (words: string, filter = {}) => {
    const search = { words, flags: matchingFlags(filter), order: 'latest' as const }
    return searchAgents(database, network, search, { isFuzzy: true })
  }
  for (const words of ['swindle', 'fish']) expect(await find(words)).toEqual([other.address])
  expect(await find('heron')).toEqual([address])
  expect(await find('heron', { services: true })).toEqual([])
  expect(await listDueRefreshes(database, network, 10)).toEqual([address])
})

test.each([
  ['bytes', { bytes: 9_000, documents: 1 }],
  ['documents', { bytes: 10, documents: 3 }],
])(
  'if a client and all clients together have too many %s, only that client loses its oldest',
  async (_, { bytes, documents }) => {
    const { prepare, age, names } = await openTest()
    for (const client of ['two', 'one'])
      for (let at = 0; at < documents; at += 1) {
        expect(await prepare(`${client} ${at}`, { client, bytes })).toBe('saved')
        await age('1 second')
      }
    await age('11 minutes')
    expect(await prepare('new', { client: 'one', bytes })).toBe('saved')
    const left = Array.from({ length: documents }, (_, at) => [`one ${at}`, `two ${at}`]).flat()
    expect((await names()).toSorted()).toEqual(['new', ...left.filter(name => name !== 'one 0').toSorted()])
  },
)
