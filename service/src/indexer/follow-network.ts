import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { followPrograms } from '../chain/subscriptions/follow-programs.ts'
import { findProgress, saveProgress } from '../store/chain-progress.ts'
import type { Database } from '../store/database.ts'
import { listAgentAddresses, listAgentsWithoutDocuments } from '../store/indexed-agents.ts'
import { listLaunchAddresses } from '../store/indexed-launches.ts'
import { forgetRemoved, listRemoved } from '../store/removed-accounts.ts'
import type { IndexedKind } from '../store/tables.ts'
import { createApplier } from './apply.ts'
import { createApplyLoop } from './apply-loop.ts'
import { createBlockTimes } from './block-times.ts'
import { createDocumentQueue } from './document-queue.ts'
import type { KnownAccounts } from './known-accounts.ts'
import type { IndexerLimits } from './limits.ts'
import { createMissingAccounts } from './missing-accounts.ts'
import type { IndexerObserver } from './observer.ts'
import { createPending } from './pending.ts'
import { createReadLoop } from './read-loop.ts'
import { readOnce } from './read-once.ts'
import { type HeldRemoval, removeMissing } from './remove-missing.ts'
import { createSlotWatch } from './slot-watch.ts'
import { listTopics } from './topics.ts'

export interface FollowNetworkParts {
  network: Network
  rpc: ChainRpc
  wsUrl: string
  /** Writes only while this node holds the lease. */
  database: Database
  /** Reads an agent and its documents anew and remembers both. */
  refreshAgent(network: Network, address: Address): Promise<void>
  observer: IndexerObserver
  limits: IndexerLimits
  signal: AbortSignal
}

const RETRY_MS = 250
/** Reading everything is in no hurry while changes are told. */
const GIVE_WAY_MS = 100

export interface FollowedNetwork {
  /** Somebody wrote these to the store. */
  storeChanged(kind: 'launches' | 'agents', addresses: readonly Address[]): void
  everythingChanged(): void
  /** So many accounts are missing that none are removed; undefined when all is well. */
  held(): HeldRemoval | undefined
  done: Promise<void>
}

/** Keeps the store in step with one chain, for as long as `signal` lets it. */
export function followNetwork(parts: FollowNetworkParts): FollowedNetwork {
  const { network, rpc, wsUrl, database, observer, limits } = parts
  const failed = new AbortController()
  const signal = AbortSignal.any([parts.signal, failed.signal])
  const onFault = (what: string) => (error: unknown) => observer.onFault(network, what, error)
  const known: KnownAccounts = { launches: new Set(), agents: new Set() }
  const missing = createMissingAccounts(() => reading.doubt())
  const pending = createPending(network, known)
  const slots = createSlotWatch()
  const documents = createDocumentQueue({
    refresh: address => parts.refreshAgent(network, address),
    onFault: onFault('an agent’s documents could not be read'),
    signal,
  })
  const applier = createApplier({
    network,
    reader: rpc,
    database,
    times: createBlockTimes(rpc),
    known,
    missing,
    documents,
    onChanges: (kind, count) => observer.onChanges(network, kind, count),
    onRemoved,
    onRefused: (address, error) => onFault(`the store does not take ${address}, which is left out`)(error),
  })
  const applying = createApplyLoop({
    pending,
    applier,
    newestSlot: slots.newest,
    slotsToFinality: limits.slotsToFinality,
    onFault: onFault('changes could not be stored yet'),
    signal,
  })
  const reading = createReadLoop({
    readAll,
    async sweep() {
      await applier.sweep()
      await lookForRemoved()
    },
    hasDoubts: () => missing.size() > 0,
    limits,
    onMode: (mode, reason) => observer.onMode(network, mode, reason),
    onRepaired: repair => observer.onRepaired(network, repair),
    onFault: onFault('the chain could not be read yet'),
    signal,
  })

  /** Everything up to this slot is in the store; it was the newest then. */
  let sure: { slot: number; at: Date } | undefined
  let isComplete = false
  let held: HeldRemoval | undefined
  let readStartedAt = new Date(0)
  let removedAtMs = performance.now()
  let isReadableAtMs = performance.now()
  let hadForeign = false

  function onRemoved(kind: IndexedKind, addresses: readonly Address[]) {
    if (kind === 'agents') for (const address of addresses) known.agents.delete(address)
    // What is shown of their launches was computed with them.
    else reading.want('buckets were removed')
    observer.onRemoved(network, kind, addresses)
  }

  /** If an account was removed by mistake, it is back within a minute. */
  async function lookForRemoved() {
    if (performance.now() - removedAtMs < limits.removedMs) return
    removedAtMs = performance.now()
    const removed = await listRemoved(database, network)
    await applier.agents(removed.agents)
    const agents = removed.agents.filter(address => known.agents.has(address))
    await forgetRemoved(database, network, 'agents', agents)
    await forgetRemoved(database, network, 'buckets', await applier.buckets(removed.buckets))
  }

  async function readAll(): Promise<number> {
    const isFirst = !isComplete
    readStartedAt = new Date()
    const { accounts, isResumed, ...reached } = await readOnce({
      network,
      rpc,
      database,
      known,
      missing,
      applier,
      signal,
      isFirst,
      async giveWay() {
        if (pending.size() > 0) await pause(GIVE_WAY_MS)
      },
      onShare: share => isFirst && observer.onScan(network, share),
    })
    isComplete = true
    sure = reached
    await removeMissing({
      network,
      rpc,
      database,
      missing,
      isAccepted: false,
      onHeld(next) {
        held = next
        observer.onHeld(network, next)
      },
      onRemoved,
    })
    if (isResumed) reading.want('the first reading had been broken off')
    return accounts
  }

  async function run() {
    await again('the store could not be read', load)
    if (signal.aborted) return
    const subscription = followPrograms({
      url: wsUrl,
      topics: listTopics(),
      limits: limits.follow,
      observer: {
        onChange: pending.told,
        onSlot(slot, parent) {
          if (slots.told(slot, parent)) reading.suspect('a slot was not told')
        },
        onLive() {
          slots.restart()
          reading.live()
        },
        onDown(reason) {
          if (reading.down(reason)) observer.onGap(network, reason)
        },
        onTopicRefused: (topic, reason) => observer.onTopicRefused(network, topic, reason),
      },
    })
    try {
      await Promise.all([applying.run(), reading.run(), tickForEver(subscription)])
    } finally {
      // Should one of them fail, the others must not go on beside those that take their place.
      failed.abort()
      await subscription.close()
    }
  }

  async function load() {
    for (const address of await listLaunchAddresses(database, network)) known.launches.add(address)
    for (const address of await listAgentAddresses(database, network)) known.agents.add(address)
    for (const address of await listAgentsWithoutDocuments(database, network)) documents.add(address)
    const progress = await findProgress(database, network)
    isComplete = progress?.isComplete ?? false
    if (progress) rpc.noteSlot(progress.slot)
    if (progress?.isComplete) sure = { slot: progress.slot, at: progress.updatedAt }
  }

  async function tickForEver(subscription: { reconnect(): void }) {
    while (!signal.aborted) {
      watchClusters(subscription)
      await tick(subscription).catch(
        error => signal.aborted || onFault('the progress could not be written down')(error),
      )
      if (performance.now() - isReadableAtMs > limits.unreadableMs)
        throw new Error('no endpoint can be read; another node may index')
      // Also, and above all, while neither the node nor the store answers.
      tellProgress()
      await pause(limits.tickMs)
    }
  }

  /** An endpoint that followed another chain for a while may have taken the subscription with it. */
  function watchClusters(subscription: { reconnect(): void }) {
    const hasForeign = rpc.states().some(({ foreign }) => foreign !== undefined)
    if (hasForeign === hadForeign) return
    hadForeign = hasForeign
    subscription.reconnect()
    reading.want('an endpoint belonged to another cluster')
  }

  async function tick(subscription: { reconnect(): void }) {
    const sinceMs = performance.now()
    const slot = await rpc.fetchSlot()
    await rpc.confirmCluster(sinceMs)
    isReadableAtMs = performance.now()
    const settled = slots.settle(slot)
    if (reading.isLive() && slots.isElsewhere(slot)) {
      subscription.reconnect()
      reading.want('the subscribed node is at another slot')
    }
    applying.lookAgain(slot)
    if (!sure || !isComplete) return
    if (reading.isSure() && !held) {
      const oldest = pending.oldestSlot() ?? Number.POSITIVE_INFINITY
      const reached = Math.min(settled.slot, oldest - 1)
      if (reached > sure.slot) sure = { slot: reached, at: slots.timeOf(reached) }
    }
    const row = await saveProgress(database, network, sure)
    rpc.noteSlot(sure.slot)
    if (row.doubtedAt && row.doubtedAt > readStartedAt) reading.doubt()
    if (row.isComplete) return
    isComplete = false
    reading.want('everything is wanted anew')
  }

  function tellProgress() {
    if (!sure || signal.aborted) return
    observer.onProgress(network, {
      slot: sure.slot,
      lagSlots: Math.max(0, slots.newest() - sure.slot),
      lagSeconds: Math.max(0, (Date.now() - sure.at.getTime()) / 1_000),
      backlog: pending.size(),
    })
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})

  /** Until it succeeds. */
  async function again(what: string, work: () => Promise<void>) {
    while (!signal.aborted) {
      try {
        return await work()
      } catch (error) {
        if (!signal.aborted) onFault(what)(error)
        await pause(RETRY_MS)
      }
    }
  }

  /** It was registered from what the chain said a moment ago; by now it may say something else. */
  function learnLaunch(address: Address) {
    if (known.launches.has(address)) return
    known.launches.add(address)
    pending.lookAtLaunches([address])
  }

  function learnAgent(address: Address) {
    if (known.agents.has(address)) return
    known.agents.add(address)
    pending.lookAtAgent(address, 0)
  }

  return {
    storeChanged(kind, addresses) {
      for (const address of addresses) {
        if (kind === 'launches') learnLaunch(address)
        else learnAgent(address)
      }
    },
    everythingChanged() {
      again('the store could not be read', async () => {
        for (const address of await listLaunchAddresses(database, network)) learnLaunch(address)
        for (const address of await listAgentAddresses(database, network)) learnAgent(address)
      })
    },
    held: () => held,
    done: run(),
  }
}
