import { setTimeout as sleep } from 'node:timers/promises'
import type { BaseToken } from '@slipway/schema/launch'
import { expect, test } from 'vitest'
import type { RememberedAgent } from '../store/agents.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { type AgentBookLimits, createAgentBook } from './agent-cache.ts'

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
function openBook(limits: Partial<AgentBookLimits> = {}) {
  const state = {
    nowMs: 1_000_000,
    stored: NOTHING,
    chain: (): Promise<RememberedAgent> => Promise.resolve(NOTHING),
    find: (): Promise<RememberedAgent> => Promise.resolve(state.stored),
    /** Whether a reading leaves alone what is stored. */
    keeps: false,
    finds: 0,
    reads: 0,
    failures: 0,
    tokens: [] as BaseToken[],
  }
  const book = createAgentBook({
    async find() {
      state.finds += 1
      return state.find()
    },
    async read() {
      state.reads += 1
      const read = await state.chain()
      if (!state.keeps) state.stored = read
      return read
    },
    isServed: network => network === NETWORK,
    tokensOf: () => state.tokens,
    publicUrl: 'https://slipway.example',
    onRefreshFailed() {
      state.failures += 1
    },
    now: () => state.nowMs,
    limits: { waitMs: 50, ...limits },
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
  expect(state).toMatchObject({ reads: 1, finds: 1 })
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
  const { book, state, nameOf } = openBook()
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
  expect(book.peek(NETWORK, address)).toBeUndefined()
  // It is still silent, and he who comes next does not find that out by waiting.
  await expect(Promise.race([nameOf(), sleep(20, 'waits')])).resolves.toBe('Stored')
})

test('what an operator says while the chain is being read is shown at once, and not hidden when that is over', async () => {
  const { book, state, nameOf } = openBook()
  state.chain = async () => remembered('One')
  await nameOf()
  const verifiedAt = new Date(1_700_000_000_000)
  const shown = () => JSON.parse(`${book.peek(NETWORK, address)?.detail.identity.parts[0]}`).verifiedAt
  // A reading begins with what is stored, and takes its time over the documents.
  let finish = () => {}
  state.chain = () =>
    new Promise(resolve => {
      const before = state.stored
      finish = () => resolve(before)
    })
  state.keeps = true
  const reading = book.refresh(NETWORK, address)
  state.stored = { ...state.stored, verifiedAt }
  book.changed(NETWORK, [address])
  await expect.poll(shown).toBe(verifiedAt.toISOString())
  finish()
  await reading
  expect(shown()).toBe(verifiedAt.toISOString())
})

test('of two changes the later one stays, although the first look at the store was the slower one', async () => {
  const { book, state, nameOf } = openBook()
  state.chain = async () => remembered('One')
  await nameOf()
  let finish = () => {}
  state.find = () => {
    const before = state.stored
    return new Promise(resolve => {
      finish = () => resolve(before)
    })
  }
  state.stored = remembered('Two')
  book.changed(NETWORK, [address])
  state.find = async () => state.stored
  state.stored = remembered('Three')
  book.changed(NETWORK, [address])
  await sleep(5)
  finish()
  await expect.poll(nameOf).toBe('Three')
  await sleep(5)
  expect(await nameOf()).toBe('Three')
})

test('memory counts what agents are made of, not only what is shown of them', async () => {
  const { book, state, nameOf } = openBook({ bytesMax: 100_000 })
  const agent = remembered('Large')
  state.chain = async () =>
    agent.row ? { ...agent, row: { ...agent.row, documents: { unseen: 'x'.repeat(100_000) } } } : agent
  expect(await nameOf()).toBe('Large')
  expect(book.peek(NETWORK, address)).toBeUndefined()
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

test('after a time in which nobody listened everything is read again before it is shown', async () => {
  const { book, state, nameOf } = openBook()
  state.chain = async () => remembered('One')
  await nameOf()
  state.chain = async () => remembered('Two')
  book.everythingChanged()
  expect(await nameOf()).toBe('Two')

  const other = openBook()
  expect(await other.nameOf()).toBeUndefined()
  other.state.chain = async () => remembered('Born')
  other.book.everythingChanged()
  expect(await other.nameOf()).toBe('Born')
})

test('what was being read when nobody listened is looked up again before it is shown', async () => {
  const { book, state, nameOf } = openBook()
  let finish = () => {}
  state.chain = () =>
    new Promise(resolve => {
      finish = () => resolve(remembered('Before'))
    })
  state.keeps = true
  const reading = nameOf()
  await expect.poll(() => state.reads).toBe(1)
  state.stored = remembered('Meanwhile')
  book.everythingChanged()
  finish()
  expect(await reading).toBe('Meanwhile')
})

test('a launch that comes while the chain is silent makes nobody wait for the chain', async () => {
  const { book, state, nameOf } = openBook({ waitMs: 10_000 })
  state.stored = remembered('Stored')
  state.chain = () => Promise.reject(new Error('no endpoint answers'))
  expect(await nameOf()).toBe('Stored')
  book.launchesChanged(NETWORK, address)
  state.chain = () => new Promise(() => {})
  await expect(Promise.race([nameOf(), sleep(100, 'waits')])).resolves.toBe('Stored')
  expect(state.reads).toBe(1)
})

test('a launch of the agent shows at once, without asking store or chain', async () => {
  const { book, state, nameOf } = openBook()
  state.chain = async () => remembered('One')
  await nameOf()
  const { finds, reads } = state
  state.tokens = [{ address: addressOf('mint'), name: 'T', symbol: 'T', image: '', description: '' }]
  book.launchesChanged(NETWORK, address)
  expect(JSON.parse(`${book.peek(NETWORK, address)?.detail.identity.parts[0]}`).tokens).toEqual(state.tokens)
  expect(state).toMatchObject({ finds, reads })
})

test('a chain that failed is left alone for a while, also behind those who are served, and it is said once', async () => {
  const { state, nameOf } = openBook()
  state.chain = async () => remembered('One')
  await nameOf()
  let fail = (_error: Error) => {}
  state.chain = () =>
    new Promise((_, reject) => {
      fail = reject
    })
  state.nowMs += 6_000
  await Promise.all(Array.from({ length: 20 }, nameOf))
  fail(new Error('no endpoint answers'))
  await expect.poll(() => state.failures).toBe(1)
  for (let times = 0; times < 5; times += 1) {
    expect(await nameOf()).toBe('One')
    await sleep(1)
  }
  expect(state).toMatchObject({ reads: 2, failures: 1 })
})
