import { expect, test } from 'vitest'
import type { RememberedAgent } from '../store/agents.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { createAgentBook } from './agent-book.ts'

const address = addressOf('agent')
const NETWORK = 'chain-mainnet'
const NOTHING: RememberedAgent = { row: undefined, verifiedAt: undefined, authoredCard: undefined }

const remembered = (name: string): RememberedAgent => ({
  ...NOTHING,
  row: {
    network: NETWORK,
    address,
    owner: addressOf('owner'),
    authority: null,
    name,
    uri: '',
    identityVersion: 2,
    agentUri: null,
    agentToken: null,
    slot: 1,
    documents: {},
  },
})

/** A book whose clock, store and chain are in the test's hands. */
function openBook() {
  const state = {
    nowMs: 1_000_000,
    stored: NOTHING,
    chain: (): Promise<RememberedAgent> => Promise.resolve(NOTHING),
    finds: 0,
    reads: 0,
    failures: 0,
  }
  const book = createAgentBook({
    async find() {
      state.finds += 1
      return state.stored
    },
    async read() {
      state.reads += 1
      const read = await state.chain()
      state.stored = read
      return read
    },
    isServed: network => network === NETWORK,
    tokensOf: () => [],
    publicUrl: 'https://slipway.example',
    onRefreshFailed() {
      state.failures += 1
    },
    now: () => state.nowMs,
    limits: { waitMs: 50 },
  })
  const nameOf = async () => {
    const view = await book.get(NETWORK, address)
    return view && JSON.parse(`${view.detail.identity.parts[0]}`).name
  }
  return { book, state, nameOf }
}

test('a hundred callers at once cost one reading, and the next ones none', async () => {
  const { state, nameOf } = openBook()
  state.chain = async () => remembered('One')
  expect(await Promise.all(Array.from({ length: 100 }, nameOf))).toEqual(Array(100).fill('One'))
  expect(state.reads).toBe(1)
  state.nowMs += 4_999
  await nameOf()
  expect(state).toMatchObject({ reads: 1 })
})

test('after a while it is read again behind the caller, after a longer while before he is answered', async () => {
  const { state, nameOf } = openBook()
  state.chain = async () => remembered('One')
  await nameOf()
  state.chain = async () => remembered('Two')
  state.nowMs += 6_000
  expect(await nameOf()).toBe('One')
  await expect.poll(nameOf).toBe('Two')
  state.chain = async () => remembered('Three')
  state.nowMs += 61_000
  expect(await nameOf()).toBe('Three')
})

test('while the chain is silent what is known is served, and nobody waits for it twice', async () => {
  const { state, nameOf } = openBook()
  state.stored = remembered('Stored')
  state.chain = () => Promise.reject(new Error('no endpoint answers'))
  expect(await nameOf()).toBe('Stored')
  expect(state).toMatchObject({ reads: 1, failures: 1 })
  expect(await nameOf()).toBe('Stored')
  expect(state.reads).toBe(1)
  state.nowMs += 6_000
  // Slow is as good as silent.
  state.chain = () => new Promise(() => {})
  const startMs = performance.now()
  expect(await nameOf()).toBe('Stored')
  expect(performance.now() - startMs).toBeLessThan(1_000)
})

test('an unknown agent is a failure while the chain is silent, and absent for a moment once it spoke', async () => {
  const { state, nameOf } = openBook()
  state.chain = () => Promise.reject(new Error('no endpoint answers'))
  await expect(nameOf()).rejects.toThrow('no endpoint')
  state.chain = async () => NOTHING
  expect(await nameOf()).toBeUndefined()
  state.chain = async () => remembered('Born')
  expect(await nameOf()).toBeUndefined()
  expect(state.reads).toBe(2)
  state.nowMs += 2_001
  expect(await nameOf()).toBe('Born')
})

test('an agent that is gone from the chain is gone from memory', async () => {
  const { book, state, nameOf } = openBook()
  state.chain = async () => remembered('One')
  await nameOf()
  state.chain = async () => NOTHING
  await book.refresh(NETWORK, address)
  expect(book.peek(NETWORK, address)).toBeUndefined()
  expect(await nameOf()).toBeUndefined()
})

test('what another node wrote is shown without asking the chain, and a new agent without waiting', async () => {
  const { book, state, nameOf } = openBook()
  state.chain = async () => NOTHING
  expect(await nameOf()).toBeUndefined()
  state.stored = remembered('Elsewhere')
  state.chain = () => Promise.reject(new Error('not to be asked'))
  book.changed(NETWORK, [address])
  expect(await nameOf()).toBe('Elsewhere')
  state.stored = remembered('Again')
  book.changed(NETWORK, [address])
  await expect.poll(nameOf).toBe('Again')
})

test('a network that is not served has no agents', async () => {
  const { book, state } = openBook()
  expect(await book.get('chain-devnet', address)).toBeUndefined()
  expect(state).toMatchObject({ finds: 0, reads: 0 })
})
