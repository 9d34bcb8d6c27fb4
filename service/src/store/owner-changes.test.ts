import { expect, test } from 'vitest'
import { addressOf } from '../testing/launch-rows.ts'
import { createTestDatabase, runSql } from '../testing/test-database.ts'
import { type AgentRow, findAgent, saveAgent, saveAuthoredCard } from './agents.ts'
import type { Database } from './database.ts'
import { saveOwnerCard } from './owner-cards.ts'
import { applyOwnerChange } from './owner-changes.ts'

const network = 'chain-mainnet'
const address = addressOf('agent')
const [seller, buyer] = [addressOf('seller'), addressOf('buyer')]
const card = Buffer.from('{"by":"its owner"}')
const row: AgentRow = {
  network,
  address,
  owner: seller,
  authority: null,
  name: 'Agent',
  uri: '',
  identityVersion: 2,
  agentUri: null,
  agentToken: null,
  slot: 10,
  documents: {},
}

const display = { name: 'Agent', description: '', isActive: true, hasServices: false }

const put = (database: Database, owner = seller, slot = 20, body: Buffer | null = card) =>
  database.transact('test', db => saveOwnerCard(db, { network, address, owner, slot }, body))
const found = async (database: Database) => (await findAgent(database, network, address)).authoredCard

test('a card counts for the owner who set it, and an older state of the agent does not remove it', async () => {
  const { database } = await createTestDatabase()
  await saveAgent(database, row, display)
  // The index has not seen the sale yet.
  expect(await put(database, buyer)).toBe(true)
  expect(await found(database)).toBeUndefined()
  await saveAgent(database, { ...row, name: 'Renamed before the sale', slot: 15 }, display)
  await saveAgent(database, { ...row, owner: buyer, slot: 21 }, display)
  expect(await found(database)).toEqual(card)
  await saveAgent(database, { ...row, slot: 22 }, display)
  await saveAgent(database, { ...row, owner: buyer, slot: 23 }, display)
  expect(await found(database)).toBeUndefined()
})

test('a card is refused if the agent was sold after its owner was read', async () => {
  const { database } = await createTestDatabase()
  await saveAgent(database, { ...row, owner: buyer, slot: 21 }, display)
  expect(await put(database, seller, 20)).toBe(false)
  expect(await found(database)).toBeUndefined()
})

test("a former owner can't replace the new owner's card, even if a node that is behind still names the former owner", async () => {
  const { database } = await createTestDatabase()
  // The index has not seen the sale yet.
  await saveAgent(database, row, display)
  expect(await put(database, seller, 12)).toBe(true)
  expect(await put(database, buyer, 20)).toBe(true)
  // The buyer's next change is checked against a node that is further behind.
  expect(await put(database, buyer, 18)).toBe(true)
  for (const slot of [17, 19, 20])
    expect(await put(database, seller, slot, Buffer.from('{"by":"the seller"}'))).toBe(false)
  await saveAgent(database, { ...row, owner: buyer, slot: 21 }, display)
  expect(await found(database)).toEqual(card)
})

test('a removal is kept until the agent is sold', async () => {
  const { database } = await createTestDatabase()
  await saveAgent(database, row, display)
  const isRemoved = async () => (await findAgent(database, network, address)).isCardRemoved
  expect(await isRemoved()).toBeUndefined()
  await put(database)
  await put(database, seller, 21, null)
  expect(await found(database)).toBeUndefined()
  expect(await isRemoved()).toBe(true)
  await saveAgent(database, { ...row, owner: buyer, slot: 22 }, display)
  expect(await isRemoved()).toBeUndefined()
})

test("an operator's card replaces the owner's, and stays when the agent is sold", async () => {
  const { database } = await createTestDatabase()
  await saveAgent(database, row, display)
  await put(database)
  const body = Buffer.from('{"by":"an operator"}')
  await saveAuthoredCard(database, network, address, body)
  await saveAgent(database, { ...row, owner: buyer, slot: 30 }, display)
  expect(await found(database)).toEqual(body)
})

test('a change that fails uses up neither its nonce nor its time', async () => {
  const { database, connection } = await createTestDatabase()
  const change = {
    network,
    address,
    owner: seller,
    purpose: 'remove agent card',
    issuedAt: new Date(),
    nonce: 'abcdefghijklmnop',
  } as const
  const failing = applyOwnerChange(database, change, async () => {
    throw new Error('the store is full')
  })
  await expect(failing).rejects.toThrow('the store is full')
  expect(await applyOwnerChange(database, change, async () => {})).toBe(true)
  expect(await applyOwnerChange(database, change, async () => {})).toBe(false)

  // Nonces are forgotten once their changes are much too old.
  await runSql(connection, `UPDATE owner_nonces SET issued_at = now() - interval '2 hours'`)
  const later = { ...change, issuedAt: new Date(Date.now() + 1_000), nonce: 'another-nonce-of-it' }
  expect(await applyOwnerChange(database, later, async () => {})).toBe(true)
  const { rows } = await runSql(connection, 'SELECT nonce FROM owner_nonces')
  expect(rows).toEqual([{ nonce: later.nonce }])
})

test('if two owners were read at one slot, the one that the index or the first card names wins', async () => {
  const { database } = await createTestDatabase()
  await saveAgent(database, { ...row, owner: buyer, slot: 20 }, display)
  expect(await put(database, seller, 20)).toBe(false)
  expect(await put(database, buyer, 20)).toBe(true)
  expect(await put(database, seller, 20, Buffer.from('{"by":"the seller"}'))).toBe(false)
  expect(await found(database)).toEqual(card)
  // At a later slot, the agent may have been sold back.
  expect(await put(database, seller, 21)).toBe(true)
})

test('a change must be newer than the last one, and its nonce new', async () => {
  const { database } = await createTestDatabase()
  const nowMs = Date.now()
  const apply = (ms: number, nonce: string, owner = seller) =>
    applyOwnerChange(
      database,
      {
        network,
        address,
        owner,
        purpose: 'remove agent card',
        issuedAt: new Date(nowMs + ms),
        nonce,
      },
      async () => {},
    )
  expect(await apply(0, 'the-first-of-nonces')).toBe(true)
  expect(await apply(0, 'another-of-the-same-time')).toBe(false)
  expect(await apply(1, 'the-first-of-nonces')).toBe(false)
  expect(await apply(1, 'another-of-the-same-time')).toBe(true)
  // A former owner's change doesn't keep a new owner waiting.
  expect(await apply(0, 'the-first-of-the-buyer', buyer)).toBe(true)
  expect(await apply(0, 'the-second-of-the-buyer', buyer)).toBe(false)
  expect(await apply(1, 'the-first-of-the-buyer', buyer)).toBe(false)
})
