import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type BlockhashOptions, createBlockhashSource } from './blockhash.ts'
import { rpcOver, startTestNode } from './rpc/test-node.ts'

/** A chain that produces a block with every call, a manual clock, and short timers. */
function source({ slotMs = 400, ...options }: BlockhashOptions & { slotMs?: number } = {}) {
  const state = { calls: 0, height: 1_000, nowMs: 0, isDown: false, delayMs: 0 }
  const kept = createBlockhashSource(
    {
      async fetchLatestBlockhash() {
        state.calls += 1
        const height = ++state.height
        if (state.delayMs > 0) await sleep(state.delayMs)
        if (state.isDown) throw new Error('down')
        return { blockhash: `hash ${height}`, lastValidBlockHeight: height }
      },
      slotMs: () => slotMs,
    },
    { clock: () => state.nowMs, refreshMs: 20, ...options },
  )
  onTestFinished(() => kept.stop())
  return { kept, state }
}

test('concurrent first calls share one fetch, and later calls need none', async () => {
  const { kept, state } = source()
  const all = await Promise.all(Array.from({ length: 50 }, () => kept.latest()))
  expect(new Set(all.map(({ blockhash }) => blockhash))).toEqual(new Set(['hash 1001']))
  state.nowMs = 19_000
  state.isDown = true
  expect(await kept.latest()).toEqual({ blockhash: 'hash 1001', lastValidBlockHeight: 1_001 })
  expect(state.calls).toBe(1)
})

test('the blockhash is kept fresh in the background until it is stopped', async () => {
  const { kept, state } = source()
  kept.start()
  await expect.poll(() => state.calls, { interval: 5 }).toBeGreaterThan(3)
  expect((await kept.latest()).lastValidBlockHeight).toBeGreaterThan(1_002)
  kept.stop()
  await sleep(30)
  const { calls } = state
  await sleep(80)
  expect(state.calls).toBe(calls)
})

test('refreshing stops when idle; the next call fetches once and resumes it', async () => {
  const { kept, state } = source({ idleMs: 60_000 })
  kept.start()
  await expect.poll(() => state.calls, { interval: 5 }).toBeGreaterThan(2)
  state.nowMs = 60_001
  await sleep(60)
  const { calls } = state
  await sleep(80)
  expect(state.calls).toBe(calls)
  state.nowMs = 120_000
  expect((await kept.latest()).blockhash).toBe(`hash ${1_000 + calls + 1}`)
  await expect.poll(() => state.calls, { interval: 5 }).toBeGreaterThan(calls + 3)
})

test('after an idle time, a blockhash that is not too old is returned at once and refreshed in the background', async () => {
  const { kept, state } = source({ idleMs: 1_000 })
  kept.start()
  await sleep(10)
  state.nowMs = 10_000
  await sleep(60)
  const { calls } = state
  expect((await kept.latest()).blockhash).toBe(`hash ${1_000 + calls}`)
  await expect.poll(() => state.calls).toBeGreaterThan(calls)
})

test('a failed refresh goes unnoticed until the blockhash is too old, and then rejects at once', async () => {
  const { kept, state } = source()
  kept.start()
  const { blockhash } = await kept.latest()
  state.isDown = true
  state.nowMs = 20_000
  expect((await kept.latest()).blockhash).toMatch(/^hash/)
  expect(blockhash).toBe('hash 1001')
  state.nowMs = 40_001
  await expect(kept.latest()).rejects.toThrow('down')
  state.isDown = false
  await expect.poll(() => kept.latest().catch(() => undefined)).toBeDefined()
})

test('an older blockhash from a lagging node is ignored until ours has expired', async () => {
  const { kept, state } = source()
  kept.start()
  await kept.latest()
  state.height = 2_000
  await expect.poll(async () => (await kept.latest()).lastValidBlockHeight).toBeGreaterThan(2_000)
  state.height = 1_900
  for (let times = 0; times < 10; times += 1) {
    expect((await kept.latest()).lastValidBlockHeight).toBeGreaterThan(2_000)
    await sleep(10)
  }
  state.nowMs += 20_001
  expect((await kept.latest()).lastValidBlockHeight).toBeLessThan(2_000)
})

test('a blockhash of another chain is replaced at once when the right chain answers', async () => {
  const { kept, state } = source()
  kept.start()
  state.height = 2_000
  await expect.poll(async () => (await kept.latest()).lastValidBlockHeight).toBeGreaterThan(2_000)
  state.height = 500
  await expect.poll(async () => (await kept.latest()).lastValidBlockHeight).toBeLessThan(600)
})

test.each([50, 200, 400])('at slots of %i ms, a transaction has 100 of its 150 blocks left', async slotMs => {
  const { kept, state } = source({ slotMs })
  const { blockhash } = await kept.latest()
  state.nowMs = 50 * slotMs
  expect((await kept.latest()).blockhash).toBe(blockhash)
  state.nowMs += 1
  expect((await kept.latest()).blockhash).not.toBe(blockhash)
})

test('the age of a blockhash counts from the request, not from the response', async () => {
  const { kept, state } = source({ slotMs: 20 })
  state.delayMs = 30
  const first = kept.latest()
  state.nowMs = 900
  await first
  state.nowMs = 1_001
  await kept.latest()
  expect(state.calls).toBe(2)
})

test('a blockhash is fetched at confirmed commitment, and a hanging node times out', async () => {
  const node = await startTestNode()
  const { rpc } = rpcOver([node], { limits: { attemptMs: 400, totalMs: 500 } })
  const kept = createBlockhashSource(rpc)
  onTestFinished(() => kept.stop())
  expect((await kept.latest()).lastValidBlockHeight).toBe(250)
  expect(node.calls).toMatchObject([{ method: 'getLatestBlockhash', params: [{ commitment: 'confirmed' }] }])
  node.behave = () => {}
  const other = createBlockhashSource(rpc)
  await expect(other.latest()).rejects.toThrow('getLatestBlockhash failed: timeout')
})

test('a newer blockhash is fetched after the call, even while a fetch is pending, and concurrent calls share it', async () => {
  const { kept, state } = source()
  state.delayMs = 20
  const first = kept.latest()
  const many = Promise.all(Array.from({ length: 20 }, () => kept.newer()))
  expect((await first).blockhash).toBe('hash 1001')
  expect(new Set((await many).map(({ blockhash }) => blockhash))).toEqual(new Set(['hash 1002']))
  expect((await kept.newer()).blockhash).toBe('hash 1003')
  expect((await kept.latest()).blockhash).toBe('hash 1003')
  state.isDown = true
  const failing = kept.newer()
  failing.catch(() => {})
  await expect(kept.newer()).rejects.toThrow('down')
})

test('asking for a newer blockhash also resumes refreshing', async () => {
  const { kept, state } = source({ idleMs: 60_000 })
  kept.start()
  await kept.latest()
  state.nowMs = 60_001
  await sleep(60)
  const { calls } = state
  state.nowMs = 120_000
  await kept.newer()
  await expect.poll(() => state.calls, { interval: 5 }).toBeGreaterThan(calls + 3)
})

test('asking for a different blockhash waits for the next block, but not forever', async () => {
  let height = 1
  const kept = createBlockhashSource({
    fetchLatestBlockhash: async () => ({ blockhash: `hash ${height}`, lastValidBlockHeight: height }),
    slotMs: () => 400,
  })
  const first = await kept.latest()
  expect(await kept.newer()).toEqual(first)
  setTimeout(() => {
    height = 2
  }, 250)
  expect(await kept.newer(first)).toEqual({ blockhash: 'hash 2', lastValidBlockHeight: 2 })
  await expect(kept.newer(await kept.latest())).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    cause: { message: 'the chain produces no new blocks' },
  })
})

test('a request that is repeated after every block gets a new blockhash each time', async () => {
  const { kept, state } = source()
  const given: string[] = []
  for (let times = 0; times < 4; times += 1) {
    given.push((await kept.latestFor('a')).blockhash)
    state.nowMs += 400
  }
  expect(given).toEqual(['hash 1001', 'hash 1002', 'hash 1003', 'hash 1004'])
})

test('a request that is repeated within a block gets the same blockhash, and all requests share one fetch per block', async () => {
  const { kept, state } = source()
  const ask = async (request: string) => (await kept.latestFor(request)).blockhash
  expect([await ask('a'), await ask('a'), await ask('b')]).toEqual(Array(3).fill('hash 1001'))
  state.nowMs = 399
  expect(await ask('a')).toBe('hash 1001')
  state.nowMs = 400
  expect(await ask('c')).toBe('hash 1001')
  expect(state.calls).toBe(1)
  expect(await ask('a')).toBe('hash 1002')
  // It is now the latest one, and the other requests have not had it yet.
  expect([await ask('b'), await ask('c'), await ask('a')]).toEqual(Array(3).fill('hash 1002'))
  expect(state.calls).toBe(2)
  // A chain without a new block returns the same one.
  state.nowMs = 800
  state.height -= 1
  expect(await ask('a')).toBe('hash 1002')
})
