import type { Network } from '@slipway/schema/network'
import type { ChainCalls } from '../chain/rpc/create-rpc.ts'
import { findProgress, saveProgress } from '../store/chain-progress.ts'
import type { Database } from '../store/database.ts'
import type { PendingChanges } from './changes/pending-changes.ts'
import type { IndexerLimits } from './limits.ts'
import type { IndexerObserver } from './observer.ts'
import type { ReadScheduler } from './reading/read-scheduler.ts'
import type { SlotWatch } from './slot-watch.ts'

/** How far the store has followed a chain. */
interface ProgressTracker {
  load(): Promise<void>
  /** False while the subscription's slots are too far from the endpoints' slots. */
  trustsSubscription(): boolean
  /** Every account that existed has been read once. */
  isComplete(): boolean
  readEnded(reached: Checkpoint): void
  /** While removals are held back, the index may be wrong, so progress stops. */
  hold(isHeld: boolean): void
  /** Checks which slot the chain has reached and whether the subscription follows it. Returns the slot. */
  tick(subscription: { reconnect(): void }): Promise<number>
  save(): Promise<void>
  show(): void
  /** Throws after too long without a usable endpoint. */
  assertReadable(): void
}

/** Everything up to this slot is in the store; at the given time, the slot was the newest. */
interface Checkpoint {
  slot: number
  at: Date
}

const RECONNECT_MS_MAX = 60_000

export function createProgressTracker({
  network,
  rpc,
  database,
  observer,
  limits,
  pending,
  slots,
  reads,
}: {
  network: Network
  rpc: ChainCalls
  database: Database
  observer: IndexerObserver
  limits: IndexerLimits
  pending: PendingChanges
  slots: SlotWatch
  reads: ReadScheduler
}): ProgressTracker {
  let checkpoint: Checkpoint | undefined
  let settledSlot = 0
  let isComplete = false
  let isHeld = false
  /** When another node last reported a missing account, as far as this one knows. */
  let recheckRequestedAt: number | undefined
  let readableAtMs = performance.now()
  let hadForeign = false
  let isSubscriptionTrusted = true
  let reconnectAtMs = 0
  let reconnectMs = limits.reconnectMs

  /** If an endpoint followed another chain for a while, the subscription may have done so too. */
  function watchClusters(subscription: { reconnect(): void }) {
    const hasForeign = rpc.states().some(({ foreign }) => foreign !== undefined)
    if (hasForeign === hadForeign) return
    hadForeign = hasForeign
    subscription.reconnect()
    reads.request('an endpoint belonged to another cluster')
  }

  /** A subscription far from the slots of the endpoints lags or follows another chain: the chain is polled instead. */
  function watchSubscription(subscription: { reconnect(): void }, distance: number | undefined) {
    if (distance === undefined) {
      if (!isSubscriptionTrusted && slots.hasReported()) {
        isSubscriptionTrusted = true
        reconnectMs = limits.reconnectMs
        reads.subscribed()
      }
      return
    }
    isSubscriptionTrusted = false
    const reason = `the WebSocket is ${distance} slots away from the RPC endpoints; check RPC_WS_URL`
    if (reads.unsubscribed(reason)) observer.onGap(network, reason)
    if (performance.now() < reconnectAtMs) return
    reconnectAtMs = performance.now() + reconnectMs
    reconnectMs = Math.min(2 * reconnectMs, RECONNECT_MS_MAX)
    subscription.reconnect()
  }

  return {
    trustsSubscription: () => isSubscriptionTrusted,
    async load() {
      const progress = await findProgress(database, network)
      isComplete = progress?.isComplete ?? false
      if (progress) rpc.noteSlot(progress.slot, progress.updatedAt)
      recheckRequestedAt = progress?.recheckRequestedAt?.getTime()
      if (progress?.isComplete) checkpoint = { slot: progress.slot, at: progress.updatedAt }
    },
    isComplete: () => isComplete,
    readEnded(reached) {
      isComplete = true
      checkpoint = reached
    },
    hold(next) {
      isHeld = next
    },
    async tick(subscription) {
      watchClusters(subscription)
      const sinceMs = performance.now()
      const slot = await rpc.fetchSlot()
      await rpc.confirmCluster(sinceMs)
      readableAtMs = performance.now()
      settledSlot = slots.settle(slot).slot
      watchSubscription(subscription, slots.distance(slot))
      return slot
    },
    async save() {
      if (!checkpoint || !isComplete) return
      if (reads.isUpToDate() && !isHeld) {
        const oldest = pending.oldestSlot() ?? Number.POSITIVE_INFINITY
        const reached = Math.min(settledSlot, oldest - 1)
        if (reached > checkpoint.slot) checkpoint = { slot: reached, at: slots.timeOf(reached) }
      }
      const row = await saveProgress(database, network, checkpoint)
      rpc.noteSlot(checkpoint.slot, checkpoint.at)
      if (row.recheckRequestedAt && row.recheckRequestedAt.getTime() !== recheckRequestedAt) reads.recheck()
      recheckRequestedAt = row.recheckRequestedAt?.getTime()
      if (row.isComplete) return
      isComplete = false
      reads.request('an operator requested a full read')
    },
    show() {
      if (!checkpoint) return
      observer.onProgress(network, {
        slot: checkpoint.slot,
        lagSlots: Math.max(0, slots.newest() - checkpoint.slot),
        lagSeconds: Math.max(0, (Date.now() - checkpoint.at.getTime()) / 1_000),
        backlog: pending.size(),
      })
    },
    assertReadable() {
      if (performance.now() - readableAtMs > limits.unreadableMs)
        throw new Error('no usable RPC endpoint for too long; another node may index the network')
    },
  }
}
