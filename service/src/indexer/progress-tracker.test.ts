import { expect, test } from 'vitest'
import type { ChainCalls } from '../chain/rpc/create-rpc.ts'
import { findProgress, requestRecheck, saveCompleteScan } from '../store/chain-progress.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import type { PendingChanges } from './changes/pending-changes.ts'
import { INDEXER_LIMITS } from './limits.ts'
import type { IndexerObserver } from './observer.ts'
import { createProgressTracker } from './progress-tracker.ts'
import type { ReadScheduler } from './reading/read-scheduler.ts'
import { createSlotWatch } from './slot-watch.ts'

const network = 'chain-mainnet'

/** A chain at slot 200 that was read completely up to slot 100. Every change until slot 200 has been reported. */
async function prepare() {
  const { database } = await createTestDatabase()
  const state = {
    nowMs: Date.UTC(2026, 0, 1),
    isUpToDate: true,
    oldestPending: undefined as number | undefined,
    rechecks: 0,
  }
  const rpc: Partial<ChainCalls> = {
    noteSlot() {},
    states: () => [],
    async confirmCluster() {},
    fetchSlot: async () => 200,
  }
  const pending: Partial<PendingChanges> = { oldestSlot: () => state.oldestPending }
  const reads: Partial<ReadScheduler> = {
    isUpToDate: () => state.isUpToDate,
    recheck() {
      state.rechecks += 1
    },
  }
  const tracker = createProgressTracker({
    network,
    database,
    rpc: rpc as ChainCalls,
    observer: {} as IndexerObserver,
    limits: INDEXER_LIMITS,
    pending: pending as PendingChanges,
    slots: createSlotWatch({ slotMs: () => 400, clock: () => state.nowMs }),
    reads: reads as ReadScheduler,
  })
  const reached = { slot: 100, at: new Date(state.nowMs) }
  await saveCompleteScan(database, network, reached)
  tracker.readEnded(reached)
  for (let tick = 0; tick < 2; tick += 1) {
    await tracker.tick({ reconnect() {} })
    state.nowMs += 1_000
  }
  const savedSlot = async () => {
    await tracker.save()
    return (await findProgress(database, network))?.slot
  }
  return { database, state, tracker, savedSlot }
}

test('progress stops while removals are held back, and continues afterwards', async () => {
  const { tracker, savedSlot } = await prepare()
  tracker.hold(true)
  expect(await savedSlot()).toBe(100)
  tracker.hold(false)
  expect(await savedSlot()).toBe(200)
})

test('progress ends before the oldest change that is not stored, and never goes back', async () => {
  const { state, savedSlot } = await prepare()
  state.oldestPending = 151
  expect(await savedSlot()).toBe(150)
  state.oldestPending = 120
  expect(await savedSlot()).toBe(150)
  state.oldestPending = undefined
  state.isUpToDate = false
  expect(await savedSlot()).toBe(150)
  state.isUpToDate = true
  expect(await savedSlot()).toBe(200)
})

test('a request to look for missing accounts is followed once', async () => {
  const { database, state, savedSlot } = await prepare()
  await savedSlot()
  expect(state.rechecks).toBe(0)
  await requestRecheck(database, network)
  await savedSlot()
  await savedSlot()
  expect(state.rechecks).toBe(1)
})
