import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import type { ChainAccount, CheckedReader } from '../chain/account-reader.ts'
import type { DocumentResult } from '../metadata/fetched-document.ts'
import { findAgent, type RememberedAgent } from '../store/agents.ts'
import { useDemo } from '../testing/demo.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import type { AgentDocuments } from './agent-documents.ts'
import { readAgent } from './read-agent.ts'

const world = useDemo()
const gateways = { ipfsGateway: 'https://ipfs.example/ipfs/', arweaveGateway: 'https://ar.example/' }

/** A node on a shared store. The test controls its slot, chain and documents. */
async function openNode(
  database: Awaited<ReturnType<typeof createTestDatabase>>['database'],
  address: Address,
) {
  const state = {
    slot: 100,
    account: 'live' as 'live' | 'burnt' | 'missing',
    documents: {} as Record<string, DocumentResult>,
    asked: [] as string[],
    ownsToken: true,
    missing: 0,
    isForeign: false,
  }
  const { chain } = world.chainOf().local
  const reader: CheckedReader = {
    slotMs: () => 400,
    async confirmCluster() {
      if (state.isForeign) throw new Error('another cluster')
    },
    async fetchAccounts(addresses) {
      const accounts = addresses.map((asked): ChainAccount => {
        const found = state.account === 'missing' ? undefined : chain.account(asked as never)
        if (!found) return { exists: false, address: asked }
        const { owner, lamports, data: live } = found
        const data = state.account === 'burnt' && asked === address ? Uint8Array.of(0) : live
        return { exists: true, address: asked, owner: owner as string as Address, lamports, data }
      })
      return { slot: state.slot, accounts }
    },
  }
  const read = () =>
    readAgent(
      {
        database,
        readerOf: () => reader,
        claimDocument: async () => undefined,
        sources: {
          documents: {
            async get(uri) {
              const { pathname } = new URL(uri)
              state.asked.push(pathname)
              return state.documents[pathname] ?? { ok: false, reason: 'http-status', detail: '404' }
            },
          },
          gateways,
          waitMsMax: 1_000,
        },
        isOwnToken: () => state.ownsToken,
        onMissing() {
          state.missing += 1
        },
      },
      'chain-mainnet',
      address,
    )
  return { state, read }
}

const documentOf = (value: object, fetchedAtMs: number): DocumentResult => {
  const text = JSON.stringify(value)
  return { ok: true, value: JSON.parse(text), text, bytes: text.length, fetchedAtMs }
}

const nameOf = ({ row }: RememberedAgent) =>
  (row?.documents as AgentDocuments | undefined)?.registration?.value.name

test('if two nodes fetch a document, the later fetch wins, and an older one never overwrites it', async () => {
  const { database } = await createTestDatabase()
  const { address, entry } = world.agent('tidewatch')
  const [one, two] = [await openNode(database, address), await openNode(database, address)]
  const path = `/registrations/${entry.slug}.json`
  one.state.documents[path] = documentOf({ name: 'Before' }, 1_000)
  two.state.documents[path] = documentOf({ name: 'Before' }, 2_000)
  expect([nameOf(await one.read()), nameOf(await two.read())]).toEqual(['Before', 'Before'])
  one.state.documents[path] = documentOf({ name: 'After' }, 3_000)
  expect(nameOf(await one.read())).toBe('After')
  two.state.slot += 1
  expect(nameOf(await two.read())).toBe('After')
  expect(nameOf(await findAgent(database, 'chain-mainnet', address))).toBe('After')
  two.state.documents[path] = documentOf({ name: 'Later' }, 4_000)
  expect(nameOf(await two.read())).toBe('Later')
  one.state.slot += 2
  expect(nameOf(await one.read())).toBe('Later')
})

test('a read that finds no change writes nothing', async () => {
  const { database } = await createTestDatabase()
  const { address, entry } = world.agent('tidewatch')
  const { state, read } = await openNode(database, address)
  const path = `/registrations/${entry.slug}.json`
  state.documents[path] = documentOf({ name: 'Same', a: 1, b: 2 }, 1_000)
  await read()
  state.slot = 200
  state.documents[path] = documentOf({ name: 'Same', a: 1, b: 2 }, 2_000)
  await read()
  expect((await findAgent(database, 'chain-mainnet', address)).row?.slot).toBe(100)
  state.documents[path] = documentOf({ name: 'Same', b: 2, a: 1 }, 3_000)
  await read()
  expect((await findAgent(database, 'chain-mainnet', address)).row?.slot).toBe(200)
})

test('a document that cannot be fetched stays as it was', async () => {
  const { database } = await createTestDatabase()
  const { address, entry } = world.agent('tidewatch')
  const { state, read } = await openNode(database, address)
  state.documents[`/registrations/${entry.slug}.json`] = documentOf({ name: 'Kept' }, 1_000)
  await read()
  state.documents = {}
  expect(nameOf(await read())).toBe('Kept')
})

test('a burnt agent is removed, unless another node has seen it alive at a later slot', async () => {
  const { database } = await createTestDatabase()
  const { address } = world.agent('tidewatch')
  const [ahead, behind] = [await openNode(database, address), await openNode(database, address)]
  ahead.state.slot = 200
  await ahead.read()
  behind.state.account = 'burnt'
  behind.state.slot = 199
  expect((await behind.read()).row).toMatchObject({ slot: 200 })
  behind.state.slot = 201
  expect((await behind.read()).row).toBeUndefined()
  expect((await findAgent(database, 'chain-mainnet', address)).row).toBeUndefined()
})

test('an agent whose account is missing stays in the store, and the index is asked to check', async () => {
  const { database } = await createTestDatabase()
  const { address } = world.agent('tidewatch')
  const { state, read } = await openNode(database, address)
  await read()
  state.account = 'missing'
  state.slot = 1_000_000
  await expect(read()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  expect(state.missing).toBe(1)
  expect((await findAgent(database, 'chain-mainnet', address)).row).toMatchObject({ address })
})

test('an agent is neither stored nor reported as absent unless the cluster is confirmed after the read', async () => {
  const { database } = await createTestDatabase()
  const { address } = world.agent('tidewatch')
  const { state, read } = await openNode(database, address)
  state.isForeign = true
  await expect(read()).rejects.toThrow('another cluster')
  state.account = 'missing'
  await expect(read()).rejects.toThrow('another cluster')
  expect((await findAgent(database, 'chain-mainnet', address)).row).toBeUndefined()
  state.isForeign = false
  expect((await read()).row).toBeUndefined()
})

test('a node that has read an older state than the stored one serves the stored one', async () => {
  const { database } = await createTestDatabase()
  const { address, entry } = world.agent('tidewatch')
  const [ahead, behind] = [await openNode(database, address), await openNode(database, address)]
  const path = `/registrations/${entry.slug}.json`
  ahead.state.documents[path] = documentOf({ name: 'As of 200' }, 1_000)
  ahead.state.slot = 200
  await ahead.read()
  behind.state.documents[path] = documentOf({ name: 'As of 199' }, 2_000)
  behind.state.slot = 199
  expect(nameOf(await behind.read())).toBe('As of 200')
  behind.state.slot = 200
  expect(nameOf(await behind.read())).toBe('As of 199')
})

test('a network that is not served has no agents', async () => {
  const { database } = await createTestDatabase()
  const nothing = await readAgent(
    {
      database,
      readerOf: () => undefined,
      sources: {} as never,
      isOwnToken: () => false,
      claimDocument: async () => undefined,
      onMissing: () => {},
    },
    'chain-devnet',
    addressOf('agent'),
  )
  expect(nothing.row).toBeUndefined()
})

test('a card endpoint is fetched; the asset document and the token are fetched only if they are needed', async () => {
  const { database } = await createTestDatabase()
  const { address, entry } = world.agent('patchbot')
  const { state, read } = await openNode(database, address)
  const registration = `/registrations/${entry.slug}.json`
  const services = [{ name: 'A2A', endpoint: 'https://agents.example/card.json' }]
  const display = { name: 'R', description: 'd', image: 'https://a.example/r.png' }
  state.documents[registration] = documentOf({ ...display, services }, 1_000)
  state.documents['/card.json'] = documentOf({ url: 'https://agents.example/rpc' }, 1_000)
  const documents = (await read()).row?.documents as AgentDocuments
  expect(documents.endpoint?.value.interfaces).toMatchObject([{ url: 'https://agents.example/rpc' }])
  expect(documents).not.toHaveProperty('token')
  expect(state.asked).toEqual([registration, '/card.json'])

  state.ownsToken = false
  state.documents[registration] = documentOf({ name: 'R', services }, 2_000)
  const open = (await read()).row?.documents as AgentDocuments
  expect(open.token?.value).toMatchObject({ symbol: expect.any(String), image: '', description: '' })
  expect(state.asked).toContain(`/agents/${entry.slug}.json`)
})
