import type { Network } from '@slipway/schema/network'
import { expect, test } from 'vitest'
import { sha256Of } from '../metadata/own-documents.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { sweepDocuments } from './document-budgets.ts'
import { claimDocument, findHostedDocument, removeDocument } from './hosted-documents.ts'
import { saveIndexedAgents } from './indexed-agents.ts'
import { savePendingDocument } from './pending-documents.ts'
import { removeIndexed } from './removed-accounts.ts'

const MAINNET = 'chain-mainnet'
const DEVNET = 'chain-devnet'
const UNLIMITED = { ownerBytesMax: Number.POSITIVE_INFINITY, devnetBytesMax: Number.POSITIVE_INFINITY }

/** A document has 1,000 bytes with its overhead. */
const SIZE = 1_000
const bodyOf = (name: string) => Buffer.from(JSON.stringify(name).padEnd(SIZE - 512))
const hashOf = (name: string) => sha256Of(bodyOf(name))
const uriOf = (name: string) => `https://slipway.example/v1/documents/${hashOf(name)}.json`

async function openTest(budgets = UNLIMITED) {
  const { database, connection } = await createTestDatabase()
  const run = (statement: string) => runSql(connection, statement)
  let slot = 0
  const index = (
    name: string,
    { network = MAINNET as Network, owner = 'owner', agentUri = uriOf(name) } = {},
  ) => {
    slot += 1
    const facts = { authority: null, name: '', uri: '', agentToken: null, identityVersion: 2 }
    const agent = { address: addressOf(name), owner: addressOf(owner), ...facts, agentUri, slot }
    return saveIndexedAgents(database, network, [agent])
  }
  const prepare = (
    name: string,
    { network = MAINNET as Network, owner = 'owner', client = '203.0.113.7' } = {},
  ) => {
    const document = { sha256: hashOf(name), network, asset: addressOf(name), body: bodyOf(name), client }
    return savePendingDocument(
      database,
      { ...document, card: undefined, owner: addressOf(owner) },
      { uriPatterns: ['https://slipway.example/v1/documents/{sha256}.json'], budgets },
    )
  }
  return {
    database,
    run,
    prepare,
    index,
    /** Mints an agent: its transaction lands, and the agent is read. */
    async mint(name: string, options: Parameters<typeof prepare>[1] = {}) {
      const saved = await prepare(name, options)
      if (saved !== 'saved') return saved
      await index(name, options)
      const key = { sha256: hashOf(name), asset: addressOf(name) }
      await claimDocument(database, options.network ?? MAINNET, key)
      return saved
    },
    burn: (name: string) => {
      slot += 1
      return removeIndexed(database, MAINNET, 'agents', { addresses: [addressOf(name)], slot })
    },
    age: (interval: string) =>
      run(
        `UPDATE documents SET named_at = named_at - interval '${interval}', unnamed_at = unnamed_at - interval '${interval}'`,
      ),
    async names(): Promise<string[]> {
      const { rows } = await run('SELECT body FROM documents ORDER BY body')
      return rows.map(({ body }) => JSON.parse(body.toString()))
    },
  }
}

test('an owner has a budget on each network, and other owners have theirs', async () => {
  const { mint } = await openTest({ ...UNLIMITED, ownerBytesMax: 3 * SIZE })
  for (const name of ['a', 'b', 'c']) expect(await mint(name)).toBe('saved')
  expect(await mint('d')).toBe('owner-full')
  expect(await mint('d', { owner: 'another' })).toBe('saved')
  expect(await mint('d', { network: DEVNET })).toBe('saved')
})

test("a document that is only prepared in a wallet's name takes nothing from its budget", async () => {
  const { prepare, mint } = await openTest({ ...UNLIMITED, ownerBytesMax: 2 * SIZE })
  for (const name of ['a', 'b', 'c']) expect(await prepare(name)).toBe('saved')
  expect(await mint('d')).toBe('saved')
})

test('a transfer of the agent does not move its document to the budget of the new owner', async () => {
  const { database, mint, index } = await openTest({ ...UNLIMITED, ownerBytesMax: SIZE })
  expect(await mint('a')).toBe('saved')
  await index('a', { owner: 'buyer' })
  expect(await mint('b')).toBe('owner-full')
  // Not even if the agent gets another URI and then the first one back.
  await index('a', { owner: 'buyer', agentUri: 'https://a.example/registration.json' })
  await index('a', { owner: 'buyer' })
  await index('a', { owner: 'buyer', agentUri: 'https://a.example/registration.json' })
  await claimDocument(database, MAINNET, { sha256: hashOf('a'), asset: addressOf('a') })
  expect(await mint('b')).toBe('owner-full')
  expect(await mint('c', { owner: 'buyer' })).toBe('saved')
})

test("a document that was named before there were budgets counts toward its agent's owner", async () => {
  const { mint, index, run } = await openTest({ ...UNLIMITED, ownerBytesMax: SIZE })
  await mint('a')
  await run('UPDATE documents SET owner = NULL')
  await index('a', { owner: 'another' })
  expect(await mint('b')).toBe('saved')
  expect(await mint('c', { owner: 'another' })).toBe('owner-full')
})

test('a transfer does not write to the documents', async () => {
  const { mint, index, run } = await openTest()
  await mint('a')
  const versions = async () => (await run('SELECT ctid, xmin FROM documents')).rows
  const before = await versions()
  await index('a', { owner: 'buyer' })
  expect(await versions()).toEqual(before)
})

test('owners and clients on devnet cannot fill it, and its limit does not affect mainnet', async () => {
  const { mint, run } = await openTest({ ownerBytesMax: 4 * SIZE, devnetBytesMax: 32 * SIZE })
  const outcomes: Record<string, number> = {}
  // Each wallet and each client network mints as often as it may.
  for (let at = 0; at < 48; at += 1) {
    const [owner, client] = [`owner ${Math.floor(at / 3)}`, `2001:db8:${Math.floor(at / 6)}:0::/64`]
    const outcome = await mint(`${at}`, { network: DEVNET, owner, client })
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  expect(outcomes['owner-full']).toBeGreaterThan(10)
  expect(outcomes['client-day-full']).toBeGreaterThan(0)
  const { rows } = await run('SELECT sum(size)::int AS bytes FROM documents')
  expect(rows[0].bytes).toBeLessThan(28 * SIZE)
  // A newcomer can still mint.
  expect(await mint('new', { network: DEVNET, owner: 'new', client: '198.51.100.1' })).toBe('saved')
  await run(`UPDATE documents SET size = 32 * ${SIZE} WHERE asset = '${addressOf('new')}'`)
  expect(await mint('late', { network: DEVNET, owner: 'late', client: '198.51.101.1' })).toBe('network-full')
  expect(await mint('honest')).toBe('saved')
})

test("a client's named documents on devnet count for a day, whatever wallets it uses", async () => {
  const { database, mint, age, run } = await openTest({
    ownerBytesMax: 2 * SIZE,
    devnetBytesMax: 10_000 * SIZE,
  })
  const onDevnet = (name: string) => mint(name, { network: DEVNET, owner: name })
  for (const name of ['a', 'b']) expect(await onDevnet(name)).toBe('saved')
  expect(await onDevnet('c')).toBe('client-day-full')
  await age('25 hours')
  expect(await onDevnet('c')).toBe('saved')
  // Then the client is forgotten.
  await sweepDocuments(database)
  const { rows } = await run('SELECT asset, client FROM documents WHERE client IS NOT NULL')
  expect(rows).toEqual([{ asset: addressOf('c'), client: '203.0.113.7/' }])
  // On mainnet, the client is forgotten at once.
  await mint('main')
  expect((await run(`SELECT client FROM documents WHERE asset = '${addressOf('main')}'`)).rows).toEqual([
    { client: null },
  ])
})

test('the document of a burnt agent is served for a week, counts until then, and is deleted', async () => {
  const { database, mint, burn, age, names } = await openTest({ ...UNLIMITED, ownerBytesMax: 2 * SIZE })
  for (const name of ['a', 'b']) expect(await mint(name)).toBe('saved')
  expect(await mint('c')).toBe('owner-full')
  await burn('a')
  expect(await mint('c')).toBe('owner-full')
  await age('167 hours')
  await sweepDocuments(database)
  expect(await findHostedDocument(database, hashOf('a'))).toMatchObject({ isNamed: true })
  await age('2 hours')
  expect(await findHostedDocument(database, hashOf('a'))).toBeUndefined()
  expect(await sweepDocuments(database)).toEqual({
    named: [{ network: MAINNET, bytes: SIZE }],
    pendingBytes: 0,
  })
  expect(await names()).toEqual(['b'])
  expect(await mint('c')).toBe('saved')
})

test('a document expires when the agent gets another URI, unless it gets the first one back', async () => {
  const { database, mint, prepare, index, age, names } = await openTest()
  for (const name of ['a', 'b', 'c']) await mint(name)
  await prepare('next')
  await index('a', { agentUri: 'https://a.example/registration.json' })
  await index('b', { agentUri: 'https://b.example/registration.json' })
  await index('c', { agentUri: `https://c.example/?${hashOf('c')}` })
  await age('6 days')
  await index('b')
  await age('2 days')
  await sweepDocuments(database)
  expect(await names()).toEqual(['b', 'next'])
  // An agent that was missing only for a time claims its document again.
  await index('b', { agentUri: 'https://b.example/registration.json' })
  expect(await claimDocument(database, MAINNET, { sha256: hashOf('b'), asset: addressOf('b') })).toBeDefined()
  await age('8 days')
  await sweepDocuments(database)
  expect(await names()).toEqual(['b', 'next'])
})

test('a document that an operator removed stays refused after its agent is burnt', async () => {
  const { database, mint, prepare, burn, age } = await openTest()
  await mint('a')
  await prepare('next')
  await removeDocument(database, hashOf('a'))
  await burn('a')
  await age('8 days')
  await sweepDocuments(database)
  expect(await prepare('a')).toBe('removed')
})
