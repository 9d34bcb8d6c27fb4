import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { followPrograms } from '../chain/subscriptions/follow-programs.ts'
import { findProgress, saveProgress } from '../store/chain-progress.ts'
import type { Database } from '../store/database.ts'
import { listAgentAddresses, listAgentsWithoutDocuments } from '../store/indexed-agents.ts'
import { listLaunchAddresses } from '../store/indexed-launches.ts'
import { createApplier } from './apply.ts'
import { createApplyLoop } from './apply-loop.ts'
import { createBlockTimes } from './block-times.ts'
import { createDocumentQueue } from './document-queue.ts'
import type { KnownAccounts } from './known-accounts.ts'
import type { IndexerLimits } from './limits.ts'
import type { IndexerObserver } from './observer.ts'
import { createPending } from './pending.ts'
import { createReadLoop } from './read-loop.ts'
import { readOnce } from './read-once.ts'
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

/** Some twenty seconds. */
const BEHIND_SLOTS_MAX = 50
const RETRY_MS = 250
/** Reading everything is in no hurry while changes are told. */
const GIVE_WAY_MS = 100

export interface FollowedNetwork {
  /** Somebody wrote these to the store. */
  storeChanged(kind: 'launches' | 'agents', addresses: readonly Address[]): void
  everythingChanged(): void
  done: Promise<void>
}

/** Keeps the store in step with one chain, for as long as `signal` lets it. */
export function followNetwork(parts: FollowNetworkParts): FollowedNetwork {
  const { network, rpc, wsUrl, database, observer, limits } = parts
  const failed = new AbortController()
  const signal = AbortSignal.any([parts.signal, failed.signal])
  const onFault = (what: string) => (error: unknown) => observer.onFault(network, what, error)
  const known: KnownAccounts = { launches: new Set(), agents: new Set() }
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
    documents,
    onChanges: (kind, count) => observer.onChanges(network, kind, count),
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
    sweep: applier.sweep,
    limits,
    onMode: (mode, reason) => observer.onMode(network, mode, reason),
    onRepaired: repair => observer.onRepaired(network, repair),
    onFault: onFault('the chain could not be read yet'),
    signal,
  })

  /** Everything up to this slot is in the store; it was the newest then. */
  let sure: { slot: number; at: Date } | undefined
  let isComplete = false

  async function readAll(): Promise<number> {
    const isFirst = !isComplete
    const { accounts, isResumed, ...reached } = await readOnce({
      network,
      rpc,
      database,
      known,
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
      await Promise.all([applying.run(), reading.run(), tickForEver()])
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
    if (progress?.isComplete) sure = { slot: progress.slot, at: progress.updatedAt }
  }

  async function tickForEver() {
    while (!signal.aborted) {
      await tick().catch(error => signal.aborted || onFault('the progress could not be written down')(error))
      // Also, and above all, while neither the node nor the store answers.
      tellProgress()
      await pause(limits.tickMs)
    }
  }

  async function tick() {
    const slot = await rpc.fetchSlot()
    const settled = slots.settle(slot)
    if (reading.isLive() && slots.isBehind(slot, BEHIND_SLOTS_MAX))
      reading.want('the subscribed node is behind')
    applying.lookAgain(slot)
    if (!sure || !isComplete) return
    if (reading.isSure()) {
      const oldest = pending.oldestSlot() ?? Number.POSITIVE_INFINITY
      const reached = Math.min(settled.slot, oldest - 1)
      if (reached > sure.slot) sure = { slot: reached, at: slots.timeOf(reached) }
    }
    const row = await saveProgress(database, network, sure)
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
    done: run(),
  }
}
