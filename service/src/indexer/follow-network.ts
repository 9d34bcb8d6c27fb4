import { setMaxListeners } from 'node:events'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainCalls } from '../chain/rpc/create-rpc.ts'
import { followPrograms } from '../chain/subscriptions/follow-programs.ts'
import type { FollowObserver } from '../chain/subscriptions/following.ts'
import { pause, retry } from '../lib/pause.ts'
import { listDueRefreshes, recordRefresh } from '../store/agent-refreshes.ts'
import type { Database } from '../store/database.ts'
import type { IndexedKind } from '../store/tables.ts'
import { createAccountUpdater } from './accounts/account-updater.ts'
import { createBlockTimes } from './accounts/block-times.ts'
import { createDocumentQueue, type InTurn } from './accounts/document-queue.ts'
import { createDelegationIndex } from './accounts/index-delegations.ts'
import { createDepositIndex } from './accounts/index-deposits.ts'
import { createMissingAccounts, type KnownAccounts, readKnownAccounts } from './accounts/known-accounts.ts'
import { learnRegistration } from './accounts/learn-registration.ts'
import { createApplyLoop } from './changes/apply-loop.ts'
import {
  createPendingChanges,
  DELEGATION_TOPIC,
  DEPOSIT_TOPICS,
  listTopics,
} from './changes/pending-changes.ts'
import { runCompactLoop } from './compact-loop.ts'
import type { IndexerLimits } from './limits.ts'
import type { IndexerObserver } from './observer.ts'
import { createProgressTracker } from './progress-tracker.ts'
import { runFullRead } from './reading/full-read.ts'
import type { ReadContext } from './reading/read-everything.ts'
import { createReadScheduler } from './reading/read-scheduler.ts'
import { type HeldRemoval, removeMissing, restoreRemoved } from './reading/remove-missing.ts'
import { createSlotWatch } from './slot-watch.ts'
import { followTrades } from './trades/follow-trades.ts'

/**
 * Reads an agent and its documents again and stores both. Returns whether the documents could be fetched; undefined if
 * too many others wait for theirs.
 */
export type RefreshAgent = (
  network: Network,
  address: Address,
  inTurn: InTurn,
) => Promise<boolean | undefined>

interface FollowNetworkParts {
  network: Network
  rpc: ChainCalls
  wsUrl: string
  /** Writes only while this node holds the lease. */
  database: Database
  refreshAgent: RefreshAgent
  observer: IndexerObserver
  limits: IndexerLimits
  signal: AbortSignal
}

export interface FollowedNetwork {
  /** This node or another one wrote these rows. */
  storeChanged(kind: 'launches' | 'agents', addresses: readonly Address[]): void
  everythingChanged(): void
  /** Set while removals are held back because too many accounts are missing. */
  held(): HeldRemoval | undefined
  done: Promise<void>
}

/** Every loop listens to the signal. Node warns of a leak if there are more than ten listeners. */
const WAITING_MAX = 50
/** A full read is not urgent while changes are reported. */
const GIVE_WAY_MS = 100

/** Keeps the store in step with one chain until the signal. */
export function followNetwork(parts: FollowNetworkParts): FollowedNetwork {
  const { network, rpc, wsUrl, database, observer, limits } = parts
  const failed = new AbortController()
  const signal = AbortSignal.any([parts.signal, failed.signal])
  setMaxListeners(WAITING_MAX, signal)
  const onFault = (what: string) => (error: unknown) => observer.onFault(network, what, error)
  const onRecordsFault = onFault('could not read delegations or deposits')
  const known: KnownAccounts = { launches: new Set(), agents: new Set() }
  const missing = createMissingAccounts(() => reads.recheck())
  const trades = followTrades({
    network,
    rpc,
    database,
    launches: known.launches,
    limits,
    observer: {
      onRequest: () => observer.onTradesRequest(network),
      onStored: count => observer.onTrades(network, count),
      onFault: onFault('could not read the trades of a launch'),
    },
    signal,
  })
  const pending = createPendingChanges(network, known, trades.report)
  const slots = createSlotWatch(rpc)
  const documents = createDocumentQueue({
    listDue: (count, except) => listDueRefreshes(database, network, count, except),
    async refresh(address, inTurn) {
      const isDone = await parts.refreshAgent(network, address, inTurn)
      if (isDone !== undefined && !signal.aborted)
        await inTurn(() => learnRegistration({ rpc, database, network }, address))
      return isDone
    },
    record: (address, isDone) => recordRefresh(database, network, address, isDone),
    onFault: onFault('could not read the documents of an agent'),
    signal,
  })
  const updater = createAccountUpdater({
    network,
    reader: rpc,
    database,
    times: createBlockTimes(rpc, database.nowMs),
    known,
    missing,
    documents,
    onChanges: (kind, count) => observer.onChanges(network, kind, count),
    onRemoved,
    onRefused: (address, error) => onFault(`the store refused ${address}, which is skipped`)(error),
  })
  const records = { network, rpc, database, sweepMs: limits.recordsMs, onFault: onRecordsFault, signal }
  const delegations = createDelegationIndex(records)
  const deposits = createDepositIndex(records)
  const context: ReadContext = { network, rpc, database, known, missing, updater, signal, giveWay }
  const applyLoop = createApplyLoop({
    pending,
    updater,
    newestSlot: slots.newest,
    limits,
    onFault: onFault('could not store changes'),
    signal,
  })
  const reads = createReadScheduler({
    readAll,
    async sweep() {
      await updater.sweep()
      if (performance.now() - restoredAtMs < limits.removedMs) return
      restoredAtMs = performance.now()
      await restoreRemoved(context)
    },
    hasMissing: () => missing.size() > 0,
    limits,
    onMode: (mode, reason) => observer.onMode(network, mode, reason),
    onRepaired: repair => observer.onRepaired(network, repair),
    onFault: onFault('could not read the chain'),
    signal,
  })
  const progress = createProgressTracker({ network, rpc, database, observer, limits, pending, slots, reads })
  let held: HeldRemoval | undefined
  /** When removed accounts were last looked up. An account that was removed by mistake is back within a minute. */
  let restoredAtMs = performance.now()

  function onRemoved(kind: IndexedKind, addresses: readonly Address[]) {
    if (kind === 'agents') for (const address of addresses) known.agents.delete(address)
    // The rows of their launches were computed from these buckets.
    else reads.request('buckets were removed')
    observer.onRemoved(network, kind, addresses)
  }

  async function giveWay() {
    if (pending.size() > 0) await pause(GIVE_WAY_MS, signal)
  }

  async function readAll(): Promise<number> {
    const isFirst = !progress.isComplete()
    const { accounts, isResumed, ...reached } = await runFullRead(context, {
      isFirst,
      searchesDeposits: isFirst,
      onShare: share => isFirst && observer.onScan(network, share),
      onFault: onRecordsFault,
    })
    if (!isFirst) deposits.requestSearch()
    progress.readEnded(reached)
    await removeMissing({
      ...context,
      isAccepted: false,
      onHeld(next) {
        held = next
        progress.hold(next !== undefined)
        observer.onHeld(network, next)
      },
      onRemoved,
    })
    if (isResumed) reads.request('the first full read was interrupted')
    return accounts
  }

  async function run() {
    await retry(load, { onFault: onFault('could not read the store'), signal })
    if (signal.aborted) return
    const subscription = followPrograms({
      url: wsUrl,
      topics: listTopics(),
      limits: limits.follow,
      observer: subscriptionObserver,
    })
    try {
      await Promise.all([
        applyLoop.run(),
        reads.run(),
        documents.run(),
        delegations.run(),
        trades.run(),
        deposits.run(),
        tickForEver(subscription),
        runCompactLoop(database, {
          compactMs: limits.compactMs,
          onFault: onFault('could not compact the figures of launches'),
          signal,
        }),
      ])
    } finally {
      // If one of them fails, the others must end before all of them are started again.
      failed.abort()
      await subscription.close()
    }
  }

  const subscriptionObserver: FollowObserver = {
    onChange(change) {
      if (!progress.trustsSubscription()) return
      if (change.topic === DELEGATION_TOPIC) delegations.report(change.address)
      else if (DEPOSIT_TOPICS.has(change.topic)) deposits.report(change.address)
      else pending.report(change)
    },
    onSlot(slot, parent) {
      if (slots.report(slot, parent)) reads.requestIfStale('a slot was not reported')
    },
    onLive() {
      slots.restart()
      if (progress.trustsSubscription()) reads.subscribed()
    },
    onDown(reason) {
      if (reads.unsubscribed(reason)) observer.onGap(network, reason)
    },
    onTopicRefused: (topic, reason) => observer.onTopicRefused(network, topic, reason),
  }

  async function load() {
    const stored = await readKnownAccounts(database, network)
    for (const address of stored.launches) known.launches.add(address)
    for (const address of stored.agents) known.agents.add(address)
    await progress.load()
  }

  async function tickForEver(subscription: { reconnect(): void }) {
    while (!signal.aborted) {
      try {
        const slot = await progress.tick(subscription)
        applyLoop.recheckFinal(slot)
        await progress.save()
      } catch (error) {
        if (!signal.aborted) onFault('could not save the progress')(error)
      }
      if (signal.aborted) return
      // The lag matters most while neither the chain nor the store answers.
      progress.show()
      progress.assertReadable()
      await pause(limits.tickMs, signal)
    }
  }

  function storeChanged(kind: 'launches' | 'agents', addresses: Iterable<Address>) {
    for (const address of addresses) {
      if (known[kind].has(address)) continue
      known[kind].add(address)
      // A launch is registered from a state of the chain that may have changed in the meantime.
      if (kind === 'launches') pending.addLaunch(address)
      else pending.addAgent(address, 0)
    }
  }

  async function addStored() {
    const { launches, agents } = await readKnownAccounts(database, network)
    storeChanged('launches', launches)
    storeChanged('agents', agents)
  }

  return {
    storeChanged,
    everythingChanged() {
      retry(addStored, { onFault: onFault('could not read the store'), signal })
    },
    held: () => held,
    done: run(),
  }
}
