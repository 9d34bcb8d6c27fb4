import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { BaseToken } from '@slipway/schema/launch'
import { expect, test } from 'vitest'
import type { AgentRow, RememberedAgent } from '../store/agents.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { type AgentCacheLimits, createAgentCache } from './agent-cache.ts'

const address = addressOf('agent')
const NETWORK = 'chain-mainnet'
const CLIENT = '192.0.2.1'
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

/** A cache whose clock, store and chain the test controls. */
function openCache(limits: Partial<AgentCacheLimits> = {}) {
  const state = {
    nowMs: 1_000_000,
    stored: NOTHING,
    chain: (): Promise<RememberedAgent> => Promise.resolve(NOTHING),
    find: (): Promise<RememberedAgent> => Promise.resolve(state.stored),
    /** Whether a chain read leaves the store unchanged. */
    keepsStore: false,
    finds: 0,
    reads: 0,
    charged: 0,
    failures: 0,
    tokens: [] as BaseToken[],
  }
  const cache = createAgentCache({
    async find() {
      state.finds += 1
      return state.find()
    },
    async read() {
      state.reads += 1
      const read = await state.chain()
      if (!state.keepsStore) state.stored = read
      return read
    },
    isServed: network => network === NETWORK,
    tokensOf: () => state.tokens,
    chargeChainRead() {
      state.charged += 1
    },
    publicUrl: 'https://slipway.example',
    onRefreshFailed() {
      state.failures += 1
    },
    now: () => state.nowMs,
    limits: { waitMs: 50, ...limits },
  })
  const nameOf = async () => {
    const view = await cache.get(NETWORK, address, CLIENT)
    return view && JSON.parse(`${view.detail.identity.parts[0]}`).name
  }
  return { cache, state, nameOf }
}

/** The result, if it needs neither a timer nor I/O. */
const atOnce = <T>(work: Promise<T>) => Promise.race([work, setImmediate('waits')])

test('a hundred concurrent callers cost one read, and later callers none', async () => {
  const { state, nameOf } = openCache()
  state.chain = async () => remembered('One')
  expect(await Promise.all(Array.from({ length: 100 }, nameOf))).toEqual(Array(100).fill('One'))
  expect(state).toMatchObject({ reads: 1, finds: 1 })
  state.nowMs += 4_999
  await nameOf()
  expect(state).toMatchObject({ reads: 1 })
})

test('an entry that is a little old is served and refreshed in the background; an older one is refreshed first', async () => {
  const { state, nameOf } = openCache()
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

test('while the chain is down, the known state is served, and only the first caller waits', async () => {
  const { cache, state, nameOf } = openCache()
  state.stored = remembered('Stored')
  state.chain = () => Promise.reject(new Error('no endpoint answers'))
  expect(await nameOf()).toBe('Stored')
  expect(state).toMatchObject({ reads: 1, failures: 1 })
  expect(await nameOf()).toBe('Stored')
  expect(state.reads).toBe(1)
  state.nowMs += 6_000
  // A slow chain counts as down. Otherwise this would wait forever.
  state.chain = () => new Promise(() => {})
  expect(await nameOf()).toBe('Stored')
  expect(cache.peek(NETWORK, address)).toBeUndefined()
  // The chain still does not answer, and the next caller does not wait for it.
  expect(await atOnce(nameOf())).toBe('Stored')
})

test('an agent that the index has without its documents is served with them, or as it is if they take too long', async () => {
  const { cache, state, nameOf } = openCache({ documentsWaitMs: 500 })
  const indexed = remembered('Indexed')
  state.stored = { ...indexed, row: { ...indexed.row, agentUri: 'https://agent.example/' } as AgentRow }
  state.chain = async () => {
    await sleep(100)
    return remembered('Complete')
  }
  expect(await nameOf()).toBe('Complete')
  state.stored = { ...indexed, row: { ...indexed.row, agentUri: 'https://agent.example/' } as AgentRow }
  await cache.show(NETWORK, address)
  cache.everythingChanged()
  state.chain = () => new Promise(() => {})
  expect(await nameOf()).toBe('Indexed')
})

test('a change by an operator during a chain read is visible at once, and stays visible after the read', async () => {
  const { cache, state, nameOf } = openCache()
  state.chain = async () => remembered('One')
  await nameOf()
  const verifiedAt = new Date(1_700_000_000_000)
  const shown = () => JSON.parse(`${cache.peek(NETWORK, address)?.detail.identity.parts[0]}`).verifiedAt
  // The read starts with the stored state and ends later.
  let finish = () => {}
  state.chain = () =>
    new Promise(resolve => {
      const before = state.stored
      finish = () => resolve(before)
    })
  state.keepsStore = true
  const reading = cache.refresh(NETWORK, address)
  state.stored = { ...state.stored, verifiedAt }
  cache.changed(NETWORK, [address])
  await expect.poll(shown).toBe(verifiedAt.toISOString())
  finish()
  await reading
  expect(shown()).toBe(verifiedAt.toISOString())
})

test('the later of two changes wins, even if the store read of the first one finishes last', async () => {
  const { cache, state, nameOf } = openCache()
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
  cache.changed(NETWORK, [address])
  state.find = async () => state.stored
  state.stored = remembered('Three')
  cache.changed(NETWORK, [address])
  await sleep(5)
  finish()
  await expect.poll(nameOf).toBe('Three')
  await sleep(5)
  expect(await nameOf()).toBe('Three')
})

test('the memory limit counts the documents of an agent, not only its answers', async () => {
  const { cache, state, nameOf } = openCache({ bytesMax: 100_000 })
  const agent = remembered('Large')
  state.chain = async () =>
    agent.row ? { ...agent, row: { ...agent.row, documents: { unseen: 'x'.repeat(100_000) } } } : agent
  expect(await nameOf()).toBe('Large')
  expect(cache.peek(NETWORK, address)).toBeUndefined()
})

test('an unknown agent is an error while the chain is down, and is looked for with every request', async () => {
  const { state, nameOf } = openCache()
  state.chain = () => Promise.reject(new Error('no endpoint answers'))
  await expect(nameOf()).rejects.toThrow('no endpoint')
  state.chain = async () => NOTHING
  expect(await nameOf()).toBeUndefined()
  state.chain = async () => remembered('Born')
  expect(await nameOf()).toBe('Born')
})

test('an agent that no longer exists on the chain is removed from memory', async () => {
  const { cache, state, nameOf } = openCache()
  state.chain = async () => remembered('One')
  await nameOf()
  state.chain = async () => NOTHING
  await cache.refresh(NETWORK, address)
  expect(cache.peek(NETWORK, address)).toBeUndefined()
  expect(await nameOf()).toBeUndefined()
})

test('a change by another node is visible without a chain read, and a new agent without delay', async () => {
  const { cache, state, nameOf } = openCache()
  state.chain = async () => NOTHING
  expect(await nameOf()).toBeUndefined()
  state.stored = remembered('Elsewhere')
  state.chain = () => Promise.reject(new Error('the chain must not be read'))
  cache.changed(NETWORK, [address])
  expect(await nameOf()).toBe('Elsewhere')
  state.stored = remembered('Again')
  cache.changed(NETWORK, [address])
  await expect.poll(nameOf).toBe('Again')
})

test('a network that is not served has no agents', async () => {
  const { cache, state } = openCache()
  expect(await cache.get('chain-devnet', address, CLIENT)).toBeUndefined()
  expect(state).toMatchObject({ finds: 0, reads: 0 })
})

test('after changes may have been missed, every agent is read again before it is served', async () => {
  const { cache, state, nameOf } = openCache()
  state.chain = async () => remembered('One')
  await nameOf()
  state.chain = async () => remembered('Two')
  cache.everythingChanged()
  expect(await nameOf()).toBe('Two')

  const other = openCache()
  expect(await other.nameOf()).toBeUndefined()
  other.state.chain = async () => remembered('Born')
  other.cache.everythingChanged()
  expect(await other.nameOf()).toBe('Born')
})

test('a read that was running when changes were missed is followed by a look-up in the store', async () => {
  const { cache, state, nameOf } = openCache()
  let finish = () => {}
  state.chain = () =>
    new Promise(resolve => {
      finish = () => resolve(remembered('Before'))
    })
  state.keepsStore = true
  const reading = nameOf()
  await expect.poll(() => state.reads).toBe(1)
  state.stored = remembered('Meanwhile')
  cache.everythingChanged()
  finish()
  expect(await reading).toBe('Meanwhile')
})

test('a new launch while the chain is down makes no caller wait', async () => {
  const { cache, state, nameOf } = openCache({ waitMs: 10_000 })
  state.stored = remembered('Stored')
  state.chain = () => Promise.reject(new Error('no endpoint answers'))
  expect(await nameOf()).toBe('Stored')
  cache.launchesChanged(NETWORK, address)
  state.chain = () => new Promise(() => {})
  expect(await atOnce(nameOf())).toBe('Stored')
  expect(state.reads).toBe(1)
})

test('a new launch of the agent is visible at once, without a read of store or chain', async () => {
  const { cache, state, nameOf } = openCache()
  state.chain = async () => remembered('One')
  await nameOf()
  const { finds, reads } = state
  state.tokens = [{ address: addressOf('mint'), name: 'T', symbol: 'T', image: '', description: '' }]
  cache.launchesChanged(NETWORK, address)
  expect(JSON.parse(`${cache.peek(NETWORK, address)?.detail.identity.parts[0]}`).tokens).toEqual(state.tokens)
  expect(state).toMatchObject({ finds, reads })
})

test('after a failed refresh, the chain is not read for a while, and the failure is reported once', async () => {
  const { state, nameOf } = openCache()
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

test('a hidden agent is absent and costs no chain read, and comes back when it is shown', async () => {
  const { cache, state } = openCache()
  state.stored = { ...remembered('Agent'), hiddenAt: new Date() }
  expect(await cache.get(NETWORK, address, CLIENT)).toBeUndefined()
  expect(await cache.get(NETWORK, address, CLIENT)).toBeUndefined()
  expect(state.reads).toBe(0)
  state.stored = remembered('Agent')
  state.chain = async () => remembered('Agent')
  cache.changed(NETWORK, [address])
  expect(await cache.get(NETWORK, address, CLIENT)).toBeDefined()
})

test('an agent that was hidden while changes were missed is not served, even if the chain is down', async () => {
  const { cache, state } = openCache()
  state.chain = async () => remembered('Agent')
  expect(await cache.get(NETWORK, address, CLIENT)).toBeDefined()
  state.stored = { ...remembered('Agent'), hiddenAt: new Date() }
  state.chain = () => Promise.reject(new Error('the chain is down'))
  cache.everythingChanged()
  expect(cache.peek(NETWORK, address)).toBeUndefined()
  expect(await cache.get(NETWORK, address, CLIENT)).toBeUndefined()
})

test('an agent that a current index lacks costs no chain read, and appears as soon as it is stored', async () => {
  const { cache, state, nameOf } = openCache()
  state.stored = { ...NOTHING, isIndexCurrent: true }
  expect(await nameOf()).toBeUndefined()
  expect(state).toMatchObject({ reads: 0, charged: 0 })
  state.stored = { ...remembered('New'), isIndexCurrent: true }
  state.chain = async () => remembered('New')
  cache.changed(NETWORK, [address])
  expect(await nameOf()).toBe('New')
  expect(state.charged).toBe(0)
})

test('a chain read of an agent that the store lacks is charged, and one of a known agent is not', async () => {
  const { cache, state, nameOf } = openCache()
  state.chain = async () => remembered('Found')
  expect(await nameOf()).toBe('Found')
  expect(state).toMatchObject({ reads: 1, charged: 1 })
  state.nowMs += 100_000
  cache.everythingChanged()
  expect(await nameOf()).toBe('Found')
  expect(state).toMatchObject({ reads: 2, charged: 1 })
})

test('changed agents are shown once the cache has caught up', async () => {
  const { cache, state, nameOf } = openCache()
  state.stored = remembered('One')
  state.chain = async () => state.stored
  expect(await nameOf()).toBe('One')
  state.stored = remembered('Two')
  state.find = () => sleep(10, state.stored)
  cache.changed(NETWORK, [address])
  expect(await nameOf()).toBe('One')
  await cache.caughtUp()
  expect(await nameOf()).toBe('Two')
})
