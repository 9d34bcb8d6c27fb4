import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { ChainRpc } from '../chain/rpc/create-rpc.ts'
import { type FollowLimits, followPrograms } from '../chain/subscriptions/follow-programs.ts'
import { findProgress, saveProgress } from '../store/chain-progress.ts'
import type { Database } from '../store/database.ts'
import { listAgentAddresses, listAgentsWithoutDocuments } from '../store/indexed-agents.ts'
import { listLaunchAddresses } from '../store/indexed-launches.ts'
import { createApplier } from './apply.ts'
import { createApplyLoop } from './apply-loop.ts'
import { createBlockTimes } from './block-times.ts'
import { createDocumentQueue } from './document-queue.ts'
import type { KnownAccounts } from './known-accounts.ts'
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

export interface IndexerLimits {
  /** How often everything is read while nothing is told. */
  pollMs: number
  /** How long a lost subscription may take to come back before reading takes its place. */
  graceMs: number
  /** Some known accounts are looked at so often, whether or not anything was told of them. */
  sweepMs: number
  tickMs: number
  /** What was told is looked at again after so many slots: by then it is final, or was taken back. */
  slotsToFinality: number
  follow: Partial<FollowLimits>
}

export const INDEXER_LIMITS: IndexerLimits = {
  pollMs: 1_000,
  graceMs: 2_000,
  sweepMs: 1_000,
  tickMs: 1_000,
  slotsToFinality: 32,
  follow: {},
}

/** Some twenty seconds. */
const BEHIND_SLOTS_MAX = 50
const RETRY_MS = 250

export interface FollowedNetwork {
  /** Somebody wrote these to the store. */
  storeChanged(kind: 'launches' | 'agents', addresses: readonly Address[]): void
  everythingChanged(): void
  done: Promise<void>
}

/** Keeps the store in step with one chain, for as long as `signal` lets it. */
export function followNetwork(parts: FollowNetworkParts): FollowedNetwork {
  const { network, rpc, wsUrl, database, observer, limits, signal } = parts
  const onFault = (what: string) => (error: unknown) => observer.onFault(network, what, error)
  const known: KnownAccounts = { launches: new Set(), agents: new Set() }
  const pending = createPending(known)
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

  /** Everything up to here is in the store. */
  let sureSlot: number | undefined
  let isComplete = false

  async function readAll(): Promise<number> {
    const isFirst = !isComplete
    const { slot, accounts } = await readOnce({
      network,
      rpc,
      database,
      known,
      applier,
      signal,
      isFirst,
      onShare: share => isFirst && observer.onScan(network, share),
    })
    isComplete = true
    sureSlot = slot
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
      await subscription.close()
    }
  }

  async function load() {
    for (const address of await listLaunchAddresses(database, network)) known.launches.add(address)
    for (const address of await listAgentAddresses(database, network)) known.agents.add(address)
    for (const address of await listAgentsWithoutDocuments(database, network)) documents.add(address)
    isComplete = (await findProgress(database, network))?.isComplete ?? false
  }

  async function tickForEver() {
    while (!signal.aborted) {
      await tick().catch(error => signal.aborted || onFault('the progress could not be told')(error))
      await pause(limits.tickMs)
    }
  }

  async function tick() {
    const slot = await rpc.fetchSlot()
    const settled = slots.settle(slot)
    if (reading.isLive() && slots.isBehind(slot, BEHIND_SLOTS_MAX))
      reading.want('the subscribed node is behind')
    applying.lookAgain(slot)
    if (sureSlot === undefined || !isComplete) return
    if (reading.isSure()) {
      const oldest = pending.oldestSlot() ?? Number.POSITIVE_INFINITY
      sureSlot = Math.max(sureSlot, Math.min(settled.slot, oldest - 1))
    }
    const at = slots.timeOf(sureSlot)
    observer.onProgress(network, {
      slot: sureSlot,
      lagSlots: Math.max(0, slot - sureSlot),
      lagSeconds: Math.max(0, (Date.now() - at.getTime()) / 1_000),
      backlog: pending.size(),
    })
    const row = await saveProgress(database, network, { slot: sureSlot, at })
    if (row.isComplete) return
    isComplete = false
    reading.want('everything is wanted anew')
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
