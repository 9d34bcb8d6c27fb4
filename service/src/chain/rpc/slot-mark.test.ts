import { CLOCK_SYSVAR } from '@slipway/launch-model/programs'
import { expect, test } from 'vitest'
import { createSlotMark } from './slot-mark.ts'
import { rpcOver, startTestNode, testAddress } from './test-node.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 86_400 * SECOND
const START_MS = 1_800_000_000_000
const SLOT = 400_000_000

/** Nodes whose chain makes a slot in `slotMs`, and an RPC over them. The machine's clock is set apart from the chain's. */
async function startChain(slotMs: number, { nodes = 1, aheadMs = 0 } = {}) {
  let chainMs = START_MS
  const all = await Promise.all(
    Array.from({ length: nodes }, async () => {
      const node = await startTestNode()
      node.slot = SLOT
      node.timeMs = () => chainMs
      return node
    }),
  )
  const mark = createSlotMark({ clock: () => chainMs + aheadMs })
  const { rpc, outcomes, seen } = rpcOver(all, {
    mark,
    limits: { restMsMin: 50, restMsMax: 100, probeMsMin: 50 },
  })
  return {
    nodes: all,
    rpc,
    mark,
    seen,
    outcomes,
    pass(ms: number, nowAheadMs = aheadMs) {
      chainMs += ms
      aheadMs = nowAheadMs
      for (const node of all) node.slot += Math.floor(ms / slotMs)
    },
    /** How often a node was asked for its newest block. */
    compared: () =>
      all.flatMap(({ calls }) => calls).filter(({ params }) => JSON.stringify(params).includes(CLOCK_SYSVAR))
        .length,
    async reads() {
      const { slot } = await rpc.fetchAccounts([testAddress(1)])
      await rpc.fetchLatestBlockhash()
      return slot
    },
  }
}

test('an answer that was overtaken leaves the time of the mark', () => {
  let nowMs = START_MS
  const mark = createSlotMark({ clock: () => nowMs })
  nowMs += HOUR
  mark.raise(SLOT, nowMs)
  const isPossible = () => mark.isPossible(SLOT + HOUR / 200)
  expect(isPossible()).toBe(false)
  mark.raise(SLOT, nowMs - HOUR)
  expect(isPossible()).toBe(false)
})

const STOPS = [MINUTE, 20 * MINUTE, DAY, 30 * DAY]
const HOUR = 60 * MINUTE

/** How far the machine's clock is ahead of the chain's before and after a stop of this length. */
const CLOCKS: Record<string, (stopMs: number) => [beforeMs: number, afterMs: number]> = {
  'is right': () => [0, 0],
  'stood still during the stop': stopMs => [0, -stopMs],
  'was set back by an hour': () => [0, -HOUR],
  'had been an hour ahead': () => [HOUR, 0],
  'had been an hour behind': () => [-HOUR, 0],
}

test.each(Object.entries(CLOCKS))(
  'after any stop, true answers are taken at once if the clock %s',
  async (_, clock) => {
    for (const nodes of [1, 2])
      for (const slotMs of [50, 200, 400])
        for (const stopMs of STOPS) {
          const [before, after] = clock(stopMs)
          const chain = await startChain(slotMs, { aheadMs: before, nodes })
          await chain.reads()
          chain.pass(stopMs, after)
          const answer = await chain.reads().catch(String)
          expect(answer, `${stopMs} ms at ${slotMs} ms`).toBe(chain.nodes[0]?.slot)
          expect(new Set(chain.outcomes())).toEqual(new Set(['ok']))
        }
  },
)

test('after a suspend, an answer from before it does not count as new', async () => {
  for (const nodes of [1, 2]) {
    const chain = await startChain(200, { nodes })
    await chain.reads()
    const [node] = chain.nodes
    if (!node) throw new Error('a node')
    // The answer is as of the time before the suspend, and is read after it.
    node.behave = (_, __, answer) => {
      node.behave = (_, __, answer) => answer()
      const { slot } = node
      chain.pass(DAY)
      const newest = node.slot
      node.slot = slot
      answer()
      node.slot = newest
    }
    await chain.reads()
    expect(await chain.reads().catch(String)).toBe(node.slot)
    expect(new Set(chain.outcomes())).toEqual(new Set(['ok']))
  }
})

test('a node that starts again continues from the slot of the index, however long ago that was', async () => {
  for (const slotMs of [50, 200, 400])
    for (const stopMs of STOPS) {
      const chain = await startChain(slotMs)
      chain.rpc.noteSlot(SLOT, new Date(START_MS))
      chain.pass(stopMs)
      expect(await chain.reads().catch(String)).toBe(chain.nodes[0]?.slot)
    }
})

test('a slot from the far future is refused, and the next endpoint answers', async () => {
  const chain = await startChain(200, { nodes: 2 })
  const [liar, honest] = chain.nodes
  if (!liar || !honest) throw new Error('two nodes')
  await chain.reads()
  liar.slot += 1_500_000
  expect(await chain.reads()).toBe(honest.slot)
  chain.rpc.noteSlot(liar.slot, new Date(START_MS))
  expect(chain.mark.slot()).toBe(honest.slot)
  // An hour later, 18,000 slots are ordinary, and that is still none of them.
  chain.pass(3_600 * SECOND)
  expect(await chain.reads()).toBe(honest.slot)
})

test.each([0, HOUR, -HOUR])(
  'an endpoint that lies about slots and time never takes over, with the clock %i ms ahead',
  async aheadMs => {
    const chain = await startChain(200, { nodes: 2, aheadMs })
    const [honest, liar] = chain.nodes
    if (!honest || !liar) throw new Error('two nodes')
    const honestTime = honest.timeMs
    await chain.reads()
    for (let lies = 0; lies < 5; lies += 1) {
      liar.slot = honest.slot + 1_500_000
      liar.timeMs = () => honestTime() + DAY
      await chain.rpc.confirmMissing([testAddress(1)]).catch(() => {})
      expect(await chain.reads()).toBe(honest.slot)
      chain.pass(25 * SECOND)
    }
  },
)

test.each([
  { aheadMs: 0, forgedMs: 0 },
  { aheadMs: 0, forgedMs: DAY },
  { aheadMs: HOUR, forgedMs: 0 },
  { aheadMs: HOUR, forgedMs: DAY },
  { aheadMs: -HOUR, forgedMs: 0 },
])(
  'a slot from the far future in the first answer after a start holds for half a minute: %o',
  async ({ aheadMs, forgedMs }) => {
    const chain = await startChain(200, { aheadMs })
    const [node] = chain.nodes
    if (!node) throw new Error('a node')
    const honestTime = node.timeMs
    node.timeMs = () => honestTime() + forgedMs
    node.slot += 1_500_000
    await chain.reads()
    chain.rpc.noteSlot(node.slot, new Date(START_MS))
    node.slot -= 1_500_000
    node.timeMs = honestTime
    await expect(chain.reads()).rejects.toMatchObject({ kind: 'lagging' })
    await expect.poll(() => chain.compared()).toBe(1)
    chain.pass(31 * SECOND)
    await expect.poll(() => chain.reads().catch(() => 0), { timeout: 10_000 }).toBe(node.slot)
  },
)

test('a lie of the only endpoint about slots and time holds for half a minute', async () => {
  const chain = await startChain(200)
  const [node] = chain.nodes
  if (!node) throw new Error('a node')
  const honestTime = node.timeMs
  await chain.reads()
  node.timeMs = () => honestTime() + DAY
  node.slot += 1_500_000
  await chain.reads()
  node.timeMs = honestTime
  node.slot -= 1_500_000
  const before = chain.compared()
  await expect(chain.reads()).rejects.toMatchObject({ kind: 'lagging' })
  await expect.poll(() => chain.compared()).toBe(before + 1)
  chain.pass(31 * SECOND)
  await expect.poll(() => chain.reads().catch(() => 0), { timeout: 10_000 }).toBe(node.slot)
})

test('endpoints that are all behind are refused until they have caught up', async () => {
  const chain = await startChain(200, { nodes: 2 })
  await chain.reads()
  // Both were restored from an old snapshot: their newest block is as old as its slot. One stands still, the other
  // goes through old blocks twice as fast as they were made.
  let replayedMs = 0
  for (const node of chain.nodes) {
    node.slot -= 5_000
    node.timeMs = () => START_MS - 5_000 * 200
  }
  const [replaying] = chain.nodes
  if (replaying) replaying.timeMs = () => START_MS - 5_000 * 200 + replayedMs
  for (let times = 0; times < 6; times += 1) {
    const before = chain.compared()
    await expect(chain.reads()).rejects.toMatchObject({ kind: 'lagging' })
    await expect.poll(() => chain.compared()).toBe(before + 2)
    chain.pass(20 * SECOND)
    replayedMs += 40 * SECOND
    for (const node of chain.nodes) node.slot = SLOT - 5_000 + replayedMs / 200
  }
  for (const node of chain.nodes) node.slot = SLOT + 1
  await expect.poll(() => chain.reads().catch(() => 0)).toBe(SLOT + 1)
})

test.each([50, 200, 400])(
  'of two nodes behind one URL, one 40 slots behind, only the newer one is believed, at slots of %i ms',
  async slotMs => {
    const chain = await startChain(slotMs)
    const [node] = chain.nodes
    if (!node) throw new Error('a node')
    let [newest, calls] = [SLOT, 0]
    const lagging = new Set<unknown>()
    node.behave = (call, _, answer) => {
      const isLagging = calls % 2 === 1
      node.slot = newest - (isLagging ? 40 : 0)
      calls += 1
      if (isLagging) lagging.add(call.method)
      answer()
    }
    for (let reads = 0; reads < 8; reads += 1) {
      newest += 400 / slotMs
      expect(await chain.reads()).toBe(newest)
      chain.pass(400)
    }
    expect(lagging).toEqual(new Set(['getMultipleAccounts', 'getLatestBlockhash']))
    // It is the only endpoint that reaches the newer one, so it stays in use.
    expect(chain.seen.endpoints).toEqual([])
  },
)
