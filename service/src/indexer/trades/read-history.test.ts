import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UNKNOWN_CURSOR, UNSUPPORTED_VERSION } from '../../chain/rpc/fault.ts'
import { isComplete } from '../../store/trade-progress.ts'
import { addressOf } from '../../testing/launch-rows.ts'
import { createFakeHistory, type FakeTransaction, unavailable } from '../testing/fake-history.ts'
import type { ListedTransaction } from './history-reader.ts'
import { newProgress, readHistory } from './read-history.ts'
import { settleHistory } from './settle-history.ts'

const address = addressOf('launch')
const budget = { take: async () => {} }

/** A history of which the first transaction creates the address. */
const historyOf = (count: number, more: (at: number) => Partial<FakeTransaction> = () => ({})) =>
  Array.from(
    { length: count },
    (_, at): FakeTransaction => ({
      signature: `tx ${at}`,
      slot: 10 + Math.floor(at / 3),
      ...(at === 0 && { creates: address }),
      ...more(at),
    }),
  )

function follow(history: FakeTransaction[]) {
  const rpc = createFakeHistory(new Map([[address, history]]))
  const lastRead = {}
  const state = {
    rpc,
    history,
    progress: newProgress(address),
    /** How often each transaction was read. */
    read: new Map<string, number>(),
    transactions: [] as ListedTransaction[],
    async turn(wasWatched = false) {
      // What is stored is JSON.
      const before = JSON.parse(JSON.stringify(state.progress))
      const { progress, transactions, places, hasMore } = await readHistory(
        { rpc, budget, landed: new Map(), lastRead },
        before,
        wasWatched,
      )
      state.progress = progress
      for (const { signature } of transactions)
        state.read.set(signature, (state.read.get(signature) ?? 0) + 1)
      state.transactions.push(...transactions)
      for (const transaction of state.transactions)
        transaction.orderInSlot = places.get(transaction.signature) ?? transaction.orderInSlot
      return hasMore
    },
    /** All that were read, in the order in which trades are listed. */
    listed: () =>
      state.transactions
        .toSorted((a, b) => a.slot - b.slot || a.orderInSlot - b.orderInSlot)
        .map(({ signature }) => signature),
    async untilIdle(turnsMax = 2_000) {
      for (let turns = 0; await state.turn(); turns++) if (turns > turnsMax) throw new Error('never ends')
    },
    missing: () =>
      history
        .filter(({ failed, signature }) => !failed && !state.read.has(signature))
        .map(tx => tx.signature),
  }
  return state
}

test('every transaction is read once, even if new ones arrive while older ones are being read', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 400 }),
      fc.array(fc.integer({ min: 0, max: 250 }), { maxLength: 4 }),
      fc.integer({ min: 0, max: 3 }),
      async (first, later, failing) => {
        const total = later.reduce((sum, count) => sum + count, first)
        const all = historyOf(total, at => ({ failed: at > 0 && failing > 0 && at % (failing + 1) === 0 }))
        const state = follow(all.slice(0, first))
        for (const count of later) {
          await state.turn()
          state.history.push(...all.slice(state.history.length, state.history.length + count))
        }
        await state.untilIdle()
        expect(state.missing()).toEqual([])
        expect(isComplete(state.progress)).toBe(true)
        expect(Math.max(...state.read.values())).toBe(1)
      },
    ),
    { numRuns: 25 },
  )
})

test('transactions of one slot end up in the order of the block, however the slot is divided', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 250 })), {
        minLength: 1,
        maxLength: 4,
      }),
      // How far the chain is at each turn, in percent: most of these are inside a slot.
      fc.array(fc.tuple(fc.integer({ min: 1, max: 100 }), fc.boolean()), { maxLength: 5 }),
      // How many slots it takes until a transaction is final.
      fc.constantFrom(0, 2, 32),
      fc.constantFrom(0, 7, 20),
      async (sizes, turns, finalSlots, failing) => {
        const slots = sizes.flatMap((size, slot) => Array.from({ length: size }, () => 10 + slot))
        const all = historyOf(slots.length, at => ({
          slot: slots[at] as number,
          failed: failing > 0 && at % failing === 3,
        }))
        const state = follow([])
        state.rpc.finalSlots = finalSlots
        const grow = (count: number) => {
          state.history.push(...all.slice(state.history.length, count))
          state.rpc.tip = state.history.at(-1)?.slot ?? 0
        }
        for (const [percent, wasWatched] of turns.toSorted(([a], [b]) => a - b)) {
          grow(Math.ceil((all.length * percent) / 100))
          await state.turn(wasWatched)
        }
        grow(all.length)
        await state.untilIdle()
        expect(state.missing()).toEqual([])
        expect(state.listed()).toEqual(all.filter(({ failed }) => !failed).map(tx => tx.signature))
      },
    ),
    { numRuns: 30 },
  )
})

test('a transaction that is listed late takes its place among those of its slot that were read before', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.boolean(), { minLength: 2, maxLength: 20 }),
      fc.boolean(),
      async (isLate, wasWatched) => {
        const all = historyOf(3 + isLate.length, at => ({ slot: at < 3 ? 10 + at : 50 }))
        const state = follow(all.filter((_, at) => !isLate[at - 3]))
        state.rpc.tip = 55
        await state.turn()
        state.history.splice(0, Number.POSITIVE_INFINITY, ...all)
        await state.turn(wasWatched)
        expect(state.listed()).toEqual(all.map(({ signature }) => signature))
      },
    ),
    { numRuns: 40 },
  )
})

test('a transaction that is decoded at a later attempt keeps its place in its slot', async () => {
  const state = follow(historyOf(30))
  state.rpc.refuse = signature => (signature === 'tx 28' ? unavailable('invalid') : undefined)
  await state.untilIdle()
  state.rpc.refuse = () => undefined
  await state.turn()
  expect(state.listed().slice(-3)).toEqual(['tx 27', 'tx 28', 'tx 29'])
})

test('a quiet launch costs one request per turn, and failed transactions cost none of their own', async () => {
  const state = follow(historyOf(150, at => ({ failed: at > 0 })))
  await state.untilIdle()
  expect(state.rpc.requests).toBe(2)
  await state.turn()
  expect(state.rpc.requests).toBe(3)
})

test('one turn reads at most 25 transactions', async () => {
  const state = follow(historyOf(10_000))
  await state.turn()
  expect(state.read.size).toBe(25)
  expect(state.rpc.requests).toBe(26)
  await state.turn()
  expect(state.read.size).toBe(50)
})

test('a node that has not kept the history back to the creation leaves it incomplete, until one has it', async () => {
  const state = follow(historyOf(90))
  state.rpc.keptSlot = 25
  await state.untilIdle()
  expect(state.progress).toMatchObject({ hasOrigin: false, lacksHistory: true })
  state.history.push({ signature: 'news', slot: 99 })
  await state.untilIdle()
  expect(state.read.get('news')).toBe(1)
  state.rpc.keptSlot = 0
  await state.untilIdle()
  expect(state.progress).toMatchObject({ hasOrigin: true, lacksHistory: false, gaps: [] })
  expect(state.missing()).toEqual([])
})

test('a gap stays open if the node drops transactions that it has listed', async () => {
  const state = follow(historyOf(300))
  await state.untilIdle()
  state.history.push(...historyOf(900).slice(300))
  await state.turn()
  const [gap] = state.progress.gaps
  expect(gap?.until).not.toBeNull()
  // The transaction where the gap begins is gone, so the node lists nothing before it.
  state.rpc.keptSlot = 308
  await state.turn()
  expect(state.progress).toMatchObject({ lacksHistory: true })
  state.rpc.keptSlot = 0
  await state.untilIdle()
  expect(state.missing()).toEqual([])
  expect(isComplete(state.progress)).toBe(true)
})

test.each(['unable', 'refused'] as const)(
  'a transaction that no endpoint returns (%s) is tried again, and newer ones are read',
  async kind => {
    const state = follow(historyOf(40))
    state.rpc.refuse = signature => (signature === 'tx 20' ? unavailable(kind) : undefined)
    await state.untilIdle()
    expect(state.progress.lacksHistory).toBe(true)
    state.history.push({ signature: 'news', slot: 99 })
    await state.untilIdle()
    expect(state.read.get('news')).toBe(1)
    expect(isComplete(state.progress)).toBe(false)
    state.rpc.refuse = () => undefined
    await state.untilIdle()
    expect(state.missing()).toEqual([])
    expect(state.progress.lacksHistory).toBe(false)
  },
)

test('a gap that no endpoint returns does not hold up an older one', async () => {
  const state = follow(historyOf(300))
  state.progress.settled = { slot: 109, signature: 'tx 299' }
  state.progress.gaps = [
    { before: 'tx 250', slot: 93, until: { slot: 76, signature: 'tx 200' } },
    { before: 'tx 100', slot: 43, until: null },
  ]
  state.rpc.refuse = signature => (signature === 'tx 240' ? unavailable('unable') : undefined)
  await state.untilIdle()
  expect(state.read.has('tx 0')).toBe(true)
  expect(state.progress).toMatchObject({ hasOrigin: true, lacksHistory: true, gaps: [{ before: 'tx 241' }] })
  state.rpc.refuse = () => undefined
  await state.untilIdle()
  expect(state.read.size).toBe(49 + 100)
  expect(state.progress).toMatchObject({ lacksHistory: false, gaps: [] })
})

test.each([40, 200, 225, 400])(
  '%i transactions are read again if a fork goes back to before the creation',
  async count => {
    const state = follow(historyOf(count))
    await state.untilIdle()
    state.progress.settled = { slot: 0, signature: null }
    state.read.clear()
    await state.untilIdle()
    expect(state.missing()).toEqual([])
    expect(state.progress).toMatchObject({ lacksHistory: false, gaps: [] })
  },
)

test('a request that fails ends the turn, and what was read before it is kept', async () => {
  const state = follow(historyOf(40))
  state.rpc.refuse = signature => (signature === 'tx 20' ? new Error('busy') : undefined)
  const { progress, transactions, fault } = await readHistory(
    { rpc: state.rpc, budget, landed: new Map(), lastRead: {} },
    state.progress,
  )
  expect(fault).toEqual(new Error('busy'))
  expect(transactions.map(({ signature }) => signature)).toContain('tx 21')
  expect(progress).toMatchObject({ lacksHistory: false, gaps: [{ before: 'tx 21', until: null }] })
  await state.untilIdle()
  expect(state.read.has('tx 19')).toBe(false)
  state.rpc.refuse = () => undefined
  await state.untilIdle()
  expect(state.missing()).toEqual([])
  expect(Math.max(...state.read.values())).toBe(1)
  expect(isComplete(state.progress)).toBe(true)
})

test('a list that fails ends the turn, and changes nothing', async () => {
  const state = follow(historyOf(40))
  await state.untilIdle()
  state.rpc.fetchSignatures = () => Promise.reject(new Error('busy'))
  const { progress, fault } = await readHistory(
    { rpc: state.rpc, budget, landed: new Map(), lastRead: {} },
    state.progress,
  )
  expect(fault).toEqual(new Error('busy'))
  expect(progress).toEqual(state.progress)
})

test('a node that does not have a new transaction yet is asked again, and the history does not count as incomplete', async () => {
  const state = follow(historyOf(40))
  await state.untilIdle()
  state.rpc.tip = 100
  state.history.push({ signature: 'news', slot: 99 })
  state.rpc.refuse = signature => (signature === 'news' ? unavailable('unable') : undefined)
  const { progress, hasMore, isLate } = await readHistory(
    { rpc: state.rpc, budget, landed: new Map(), lastRead: {} },
    state.progress,
  )
  expect({ hasMore, isLate }).toEqual({ hasMore: false, isLate: true })
  expect(progress).toEqual(state.progress)
  state.rpc.tip = 200
  await state.turn()
  expect(state.progress.lacksHistory).toBe(true)
  state.rpc.refuse = () => undefined
  await state.turn()
  expect(state.read.get('news')).toBe(1)
  expect(state.progress.lacksHistory).toBe(false)
})

test('transactions that no node can decode count toward the 25 of a turn, and the history stays incomplete', async () => {
  const state = follow(historyOf(100))
  state.rpc.refuse = signature => (signature === 'tx 0' ? undefined : unavailable('invalid'))
  await state.turn()
  expect(state.rpc.requests).toBe(26)
  await state.untilIdle()
  expect(state.progress).toMatchObject({ gaps: [], hasOrigin: true })
  expect(state.progress.unreadable).toHaveLength(50)
  state.rpc.refuse = () => undefined
  for (let turns = 0; turns < 60; turns++) await state.turn()
  // Of more than fifty, only some are tried again.
  expect(state.progress.unreadable).toEqual([{ slot: expect.any(Number), signature: null }])
  expect(isComplete(state.progress)).toBe(false)
})

test.each(['invalid', 'garbled'] as const)(
  'a transaction that is %s on all endpoints hides no other, and is tried again',
  async kind => {
    const state = follow(historyOf(60))
    state.rpc.refuse = signature => (signature === 'tx 30' ? unavailable(kind) : undefined)
    await state.untilIdle()
    expect(state.missing()).toEqual(['tx 30'])
    expect(state.progress).toMatchObject({ gaps: [], lacksHistory: false })
    expect(isComplete(state.progress)).toBe(false)
    await state.turn()
    expect(isComplete(state.progress)).toBe(false)
    state.rpc.refuse = () => undefined
    await state.turn()
    expect(state.missing()).toEqual([])
    expect(isComplete(state.progress)).toBe(true)
  },
)

test.each(['unable', 'refused', 'timeout'] as const)(
  'a transaction whose version no endpoint returns hides no other and is read later, even if another endpoint fails (%s)',
  async kind => {
    const state = follow(historyOf(60))
    const tooNew = unavailable(kind, 'getTransaction', [UNSUPPORTED_VERSION])
    state.rpc.refuse = signature => (/tx (30|31|0)$/.test(signature) ? tooNew : undefined)
    await state.untilIdle()
    expect(state.missing()).toEqual(['tx 0', 'tx 30', 'tx 31'])
    expect(state.progress.unreadable).toMatchObject(Array(3).fill({ isTooNew: true }))
    expect(isComplete(state.progress)).toBe(false)
    state.rpc.refuse = () => undefined
    for (let turns = 0; turns < 3; turns++) await state.turn()
    expect(state.missing()).toEqual([])
    expect(isComplete(state.progress)).toBe(true)
  },
)

test('after an endpoint supports a version, all transactions of that version are read, even more than fifty', async () => {
  const state = follow(historyOf(300))
  const tooNew = unavailable('unable', 'getTransaction', [UNSUPPORTED_VERSION])
  state.rpc.refuse = signature => (Number(signature.slice(3)) % 3 === 1 ? tooNew : undefined)
  await state.untilIdle()
  expect(state.missing()).toHaveLength(100)
  expect(state.progress.unreadable).toHaveLength(50)
  state.rpc.refuse = () => undefined
  for (let turns = 0; turns < 80; turns++) await state.turn()
  expect(state.missing()).toEqual([])
  expect(isComplete(state.progress)).toBe(true)
})

test('a cursor that the node does not know any more is replaced in the middle of a backfill, and nothing else is lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 30, max: 500 }),
      fc.integer({ min: 1, max: 12 }),
      fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 })),
      fc.integer({ min: 0, max: 300 }),
      async (count, turns, [newer, older], more) => {
        const state = follow(historyOf(count))
        state.rpc.refusesCursors = true
        for (let turn = 0; turn < turns; turn++) await state.turn()
        const cursor = state.progress.gaps.at(-1)?.before
        const at = state.history.findIndex(({ signature }) => signature === cursor)
        const from = Math.max(1, at - older)
        state.history.splice(from, at + newer - from)
        state.history.push(...historyOf(count + more).slice(count))
        for (let turn = 0; turn < 3; turn++) await state.untilIdle()
        expect(state.missing()).toEqual([])
        expect(isComplete(state.progress)).toBe(true)
        // Those of the cursor's own slot may be read again.
        expect([...state.read.values()].filter(times => times > 1).length).toBeLessThan(6)
      },
    ),
    { numRuns: 15 },
  )
})

test('a cursor that was pruned in the middle of a backfill leaves the launch incomplete until an endpoint has the rest', async () => {
  const state = follow(historyOf(400))
  state.rpc.refusesCursors = true
  for (let turn = 0; turn < 5; turn++) await state.turn()
  state.rpc.keptSlot = 10 + 300 / 3
  state.history.push({ signature: 'news', slot: 300 })
  for (let turn = 0; turn < 3; turn++) await state.untilIdle()
  expect([state.read.get('news'), state.missing().length]).toEqual([1, 400 - 5 * 25])
  expect(state.progress.lacksHistory).toBe(true)
  state.rpc.keptSlot = 0
  for (let turn = 0; turn < 3; turn++) await state.untilIdle()
  expect(state.missing()).toEqual([])
  expect(isComplete(state.progress)).toBe(true)
})

test('news are listed without a cursor if the node does not know it any more, and may lack older ones', async () => {
  const state = follow(historyOf(30))
  await state.untilIdle()
  state.rpc.refusesCursors = true
  state.rpc.keptSlot = 55
  state.history.push({ signature: 'dropped', slot: 50 }, { signature: 'news', slot: 60 })
  await state.turn(true)
  expect(state.missing()).toEqual(['dropped'])
  expect(isComplete(state.progress)).toBe(false)
  state.rpc.keptSlot = 0
  await state.untilIdle()
  expect(state.missing()).toEqual([])
  expect(isComplete(state.progress)).toBe(true)
  expect(Math.max(...state.read.values())).toBe(1)
})

test('news are complete without a cursor if the list reaches what was read last', async () => {
  const state = follow(historyOf(30))
  await state.untilIdle()
  state.rpc.refusesCursors = true
  state.rpc.keptSlot = state.progress.settled?.slot as number
  state.history.push({ signature: 'news', slot: 60 })
  await state.turn(true)
  expect(state.missing()).toEqual([])
  expect(isComplete(state.progress)).toBe(true)
})

test('an endpoint that knows no cursor at all is not asked over and over', async () => {
  const state = follow(historyOf(900))
  const { fetchSignatures } = state.rpc
  state.rpc.fetchSignatures = async (asked, options = {}) => {
    if (options.before) throw unavailable('unable', 'getSignaturesForAddress', [UNKNOWN_CURSOR])
    return fetchSignatures(asked, options)
  }
  await state.untilIdle(50)
  expect(state.read.size).toBeGreaterThan(190)
  expect(isComplete(state.progress)).toBe(false)
})

test('transactions that an endpoint drops during a pause are missing until another endpoint has them', async () => {
  const state = follow(historyOf(30))
  await state.untilIdle()
  state.history.push({ signature: 'dropped', slot: 50 }, { signature: 'kept', slot: 60 })
  state.rpc.keptSlot = 55
  await state.untilIdle()
  expect(state.missing()).toEqual(['dropped'])
  expect(state.progress.lacksHistory).toBe(true)
  expect(isComplete(state.progress)).toBe(false)
  state.rpc.keptSlot = 0
  await state.untilIdle()
  expect(state.missing()).toEqual([])
  expect(isComplete(state.progress)).toBe(true)
})

test('an endpoint may drop old transactions while the launch is watched, or while nothing happens', async () => {
  const state = follow(historyOf(30))
  await state.untilIdle()
  state.rpc.keptSlot = 55
  await state.turn()
  expect(state.progress.lacksHistory).toBe(false)
  state.history.push({ signature: 'news', slot: 60 })
  const { progress, transactions } = await readHistory(
    { rpc: state.rpc, budget, landed: new Map(), lastRead: {} },
    state.progress,
    true,
  )
  expect(transactions).toHaveLength(1)
  expect(progress.lacksHistory).toBe(false)
  expect(isComplete(progress)).toBe(true)
})

test('endpoints that return nothing but garbage are at fault, not the transactions', async () => {
  const state = follow(historyOf(60))
  state.rpc.refuse = () => unavailable('garbled')
  const turn = await readHistory({ rpc: state.rpc, budget, landed: new Map(), lastRead: {} }, state.progress)
  expect(turn.progress).toEqual({ ...state.progress, lacksHistory: true })
  expect(turn.fault).toBeInstanceOf(Error)
  expect(state.rpc.requests).toBeLessThan(5)
  state.rpc.refuse = () => undefined
  await state.untilIdle()
  expect(state.missing()).toEqual([])
  expect(isComplete(state.progress)).toBe(true)
})

test('transactions that are garbled on all endpoints stop no launch, even if nothing else is new', async () => {
  const state = follow(historyOf(30))
  await state.untilIdle()
  const push = (...names: string[]) =>
    state.history.push(...names.map((signature, at) => ({ signature, slot: 50 + state.history.length + at })))
  state.rpc.refuse = signature => (signature.startsWith('garbled') ? unavailable('garbled') : undefined)
  push('garbled 1')
  // As after a restart: only the store has a record of the transactions that were read.
  const turn = await readHistory({ rpc: state.rpc, budget, landed: new Map(), lastRead: {} }, state.progress)
  expect(turn).toMatchObject({ fault: undefined, progress: { unreadable: [{ signature: 'garbled 1' }] } })
  for (const round of [1, 2]) {
    push(`garbled ${round}2`, `garbled ${round}3`, `garbled ${round}4`)
    await state.turn()
    expect(state.progress).toMatchObject({ gaps: [], lacksHistory: false })
  }
  expect(state.progress.unreadable).toHaveLength(7)
  push('news', 'garbled 5', 'garbled 6', 'garbled 7')
  await state.turn()
  expect(state.read.get('news')).toBe(1)
})

test('an address counts as watched only if every new transaction was read or is recorded as missing', async () => {
  const state = follow(historyOf(30))
  await state.untilIdle()
  const { rpc } = state
  const isWatched = async (wasWatched: boolean) =>
    (await readHistory({ rpc, budget, landed: new Map(), lastRead: {} }, state.progress, wasWatched))
      .isWatched
  expect(await isWatched(false)).toBe(true)
  rpc.keptSlot = 55
  expect([await isWatched(false), await isWatched(true)]).toEqual([false, true])

  state.history.push({ signature: 'news', slot: 990 })
  expect(await isWatched(false)).toBe(true)
  rpc.tip = 1_000
  rpc.refuse = () => unavailable('unable')
  expect([await isWatched(false), await isWatched(true)]).toEqual([false, false])
  rpc.refuse = () => undefined
  rpc.fetchSignatures = () => Promise.reject(unavailable('refused', 'getSignaturesForAddress'))
  expect([await isWatched(false), await isWatched(true)]).toEqual([false, false])
})

test('a transaction that could not be decoded no longer counts once a fork has dropped it', async () => {
  const state = follow(historyOf(30))
  state.rpc.tip = 1_000
  await state.untilIdle()
  state.history.push({ signature: 'new version', slot: 990 })
  state.rpc.refuse = signature => (signature === 'new version' ? unavailable('invalid') : undefined)
  await state.turn()
  expect(isComplete(state.progress)).toBe(false)
  const requests = state.rpc.requests
  await state.turn()
  expect(state.rpc.requests - requests).toBe(2)
  state.history.pop()
  state.rpc.tip = 1_200
  const { progress, undone } = await settleHistory({ rpc: state.rpc, budget }, state.progress)
  expect(undone).toEqual(['new version'])
  expect(isComplete(progress)).toBe(true)
})

test('transactions that a fork drops or moves are reported, and those of the other fork are read', async () => {
  const state = follow([...historyOf(30), { signature: 'final', slot: 950 }])
  state.rpc.tip = 1_000
  await state.untilIdle()
  const late = { signature: 'moved', slot: 990 }
  state.history.push({ signature: 'dropped', slot: 985 }, late)
  await state.turn()
  expect(state.progress.recent.map(({ signature }) => signature).toSorted()).toEqual(['dropped', 'moved'])

  state.history.splice(-2, 2, { signature: 'instead', slot: 984 }, { signature: 'moved', slot: 995 })
  const settle = async () => {
    const { progress, undone } = await settleHistory({ rpc: state.rpc, budget }, state.progress)
    state.progress = progress
    return undone
  }
  // It may only be late on this node.
  expect(await settle()).toEqual([])
  state.rpc.tip = 1_200
  expect((await settle()).toSorted()).toEqual(['dropped', 'moved'])
  await state.untilIdle()
  expect(state.missing()).toEqual([])
  expect(state.read.get('moved')).toBe(2)
  expect(state.read.get('tx 29')).toBe(1)
  expect(state.progress.settled).toMatchObject({ slot: 995, signature: 'moved' })
})

test('final transactions are not checked again', async () => {
  const state = follow(historyOf(30))
  state.rpc.tip = 20
  await state.untilIdle()
  expect(state.progress.recent.length).toBeGreaterThan(20)
  state.rpc.tip = 200
  await state.turn()
  const { progress, undone } = await settleHistory({ rpc: state.rpc, budget }, state.progress)
  expect({ recent: progress.recent, undone }).toEqual({ recent: [], undone: [] })
})
