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
import { createBlockTimes } from './block-times.ts'
import { createDocumentQueue } from './document-queue.ts'
import type { KnownAccounts } from './known-accounts.ts'
import type { IndexerObserver } from './observer.ts'
import { createPending } from './pending.ts'
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

const RETRY_MS_MIN = 250
const RETRY_MS_MAX = 5_000
/** Reading everything again must leave the node time for others: so many times as long as it took. */
const REST_FACTOR = 2
const MISSED_SLOT_REST_MS = 20_000
/** Some twenty seconds. */
const BEHIND_SLOTS_MAX = 50

export interface FollowedNetwork {
  /** Somebody wrote these to the store. */
  storeChanged(kind: 'launches' | 'agents', addresses: readonly Address[]): void
  everythingChanged(): void
  done: Promise<void>
}

/** Keeps the store in step with one chain, for as long as `signal` lets it. */
export function followNetwork(parts: FollowNetworkParts): FollowedNetwork {
  const { network, rpc, wsUrl, database, observer, limits, signal } = parts
  const known: KnownAccounts = { launches: new Set(), agents: new Set() }
  const pending = createPending(known)
  const times = createBlockTimes(rpc)
  const documents = createDocumentQueue({
    refresh: address => parts.refreshAgent(network, address),
    onFault: error => observer.onFault(network, 'an agent’s documents could not be read', error),
    signal,
  })
  const applier = createApplier({
    network,
    reader: rpc,
    database,
    times,
    known,
    documents,
    onChanges: (kind, count) => observer.onChanges(network, kind, count),
  })
  const slots = createSlotWatch()

  /** Why everything has to be read again. */
  let gap: string | undefined = 'start'
  let isLive = false
  let downSinceMs = performance.now()
  let isPolling = false
  /** The slot at which the last complete reading began. */
  let readSlot: number | undefined
  let isReading = false
  let isComplete = false
  let onWanted = () => {}
  const verify = new Map<Address, { slot: number; isAgent: boolean }>()

  function want(reason: string) {
    gap ??= reason
    onWanted()
  }

  const done = run()

  async function run() {
    while (!signal.aborted) {
      try {
        await load()
        break
      } catch (error) {
        await failed('the store could not be read', error, RETRY_MS_MIN)
      }
    }
    if (signal.aborted) return
    const subscription = followPrograms({
      url: wsUrl,
      topics: listTopics(),
      limits: limits.follow,
      observer: {
        onChange: change => {
          pending.told(change)
        },
        onSlot(slot, parent) {
          if (slots.told(slot, parent) && performance.now() > quietUntilMs) want('a slot was not told')
        },
        onLive() {
          isLive = true
          slots.restart()
          want('subscribed')
          setMode('live', 'changes are told')
        },
        onDown(reason) {
          if (isLive) {
            isLive = false
            downSinceMs = performance.now()
            observer.onGap(network, reason)
          }
          downReason = reason
        },
        onTopicRefused: (topic, reason) => observer.onTopicRefused(network, topic, reason),
      },
    })
    try {
      await Promise.all([applyForEver(), readForEver(), tickForEver()])
    } finally {
      await subscription.close()
    }
  }

  let downReason = 'not yet connected'
  let mode: 'live' | 'polling' | undefined
  function setMode(next: 'live' | 'polling', reason: string) {
    isPolling = next === 'polling'
    if (mode === next) return
    mode = next
    observer.onMode(network, next, reason)
  }

  async function load() {
    for (const address of await listLaunchAddresses(database, network)) known.launches.add(address)
    for (const address of await listAgentAddresses(database, network)) known.agents.add(address)
    for (const address of await listAgentsWithoutDocuments(database, network)) documents.add(address)
    isComplete = (await findProgress(database, network))?.isComplete ?? false
  }

  async function applyForEver() {
    let failures = 0
    while (!signal.aborted) {
      await pending.wait(signal)
      if (signal.aborted) return
      const work = pending.take()
      try {
        const behind = await applier.apply(work)
        failures = 0
        const due = slots.newest() + limits.slotsToFinality
        for (const [address, hints] of work.launches)
          if (hints.size > 0) verify.set(address, { slot: due, isAgent: false })
        for (const [address, slot] of work.agents)
          if (slot > 0) verify.set(address, { slot: due, isAgent: true })
        if (behind.launches.size + behind.agents.size > 0) {
          await pause(BEHIND_PAUSE_MS)
          pending.putBack(behind)
        }
      } catch (error) {
        pending.putBack(work)
        failures += 1
        await failed('changes could not be stored yet', error, RETRY_MS_MIN * 2 ** Math.min(failures, 4))
      }
      // What comes in the same moment is taken together.
      await pause(GATHER_MS)
    }
  }

  let quietUntilMs = 0
  async function readForEver() {
    let failures = 0
    // Subscribed first, read then: so that nothing falls between the two.
    await wanted(limits.graceMs)
    while (!signal.aborted) {
      const isDown = !isLive && performance.now() - downSinceMs >= limits.graceMs
      if (isDown) setMode('polling', downReason)
      if (gap === undefined && !isDown) {
        await sweep()
        await wanted(limits.sweepMs)
        continue
      }
      const reason = gap ?? 'polling'
      const startMs = performance.now()
      try {
        const accounts = await readAll()
        failures = 0
        const ms = performance.now() - startMs
        if (reason !== 'polling') observer.onRepaired(network, { reason, seconds: ms / 1_000, accounts })
        quietUntilMs = performance.now() + Math.max(MISSED_SLOT_REST_MS, 10 * ms)
        await (isPolling ? pause(Math.max(limits.pollMs, REST_FACTOR * ms)) : pause(REST_FACTOR * ms))
      } catch (error) {
        gap ??= reason
        failures += 1
        await failed('the chain could not be read yet', error, RETRY_MS_MIN * 2 ** Math.min(failures, 4))
      }
    }
  }

  async function readAll(): Promise<number> {
    gap = undefined
    isReading = true
    try {
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
      readSlot = slot
      return accounts
    } finally {
      isReading = false
    }
  }

  /** The next few known accounts: should something go wrong that nobody thought of, it is not wrong for long. */
  async function sweep() {
    try {
      await applier.sweep()
    } catch (error) {
      await failed('known accounts could not be looked at', error, RETRY_MS_MIN)
    }
  }

  async function tickForEver() {
    while (!signal.aborted) {
      try {
        await tick()
      } catch (error) {
        await failed('the progress could not be told', error, 0)
      }
      await pause(limits.tickMs)
    }
  }

  async function tick() {
    const slot = await rpc.fetchSlot()
    const settled = slots.settle(slot)
    if (isLive && slots.isBehind(slot, BEHIND_SLOTS_MAX)) want('the subscribed node is behind')
    for (const [address, { slot: due, isAgent }] of verify) {
      if (due > slot) continue
      verify.delete(address)
      if (isAgent) pending.lookAtAgent(address, 0)
      else pending.lookAtLaunches([address])
    }
    if (readSlot === undefined || !isComplete) return
    // While something may have been missed, only what the last complete reading saw is vouched for.
    if (isLive && gap === undefined && !isReading)
      readSlot = Math.max(readSlot, Math.min(settled.slot, (pending.oldestSlot() ?? Infinity) - 1))
    const at = slots.timeOf(readSlot)
    observer.onProgress(network, {
      slot: readSlot,
      lagSlots: Math.max(0, slot - readSlot),
      lagSeconds: Math.max(0, (Date.now() - at.getTime()) / 1_000),
      backlog: pending.size(),
    })
    const row = await saveProgress(database, network, { slot: readSlot, at })
    if (row.isComplete) return
    isComplete = false
    want('everything is wanted anew')
  }

  async function failed(what: string, error: unknown, pauseMs: number) {
    if (signal.aborted) return
    observer.onFault(network, what, error)
    await pause(Math.min(pauseMs, RETRY_MS_MAX))
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})

  /** Until there is something to be read again, or for so long. */
  function wanted(ms: number): Promise<void> {
    return new Promise(resolve => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        onWanted = () => {}
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal.addEventListener('abort', end)
      onWanted = end
      if (signal.aborted) end()
    })
  }

  async function reload() {
    try {
      for (const address of await listLaunchAddresses(database, network)) learnLaunch(address)
      for (const address of await listAgentAddresses(database, network)) learnAgent(address)
    } catch (error) {
      observer.onFault(network, 'the store could not be read', error)
      want('the store was not heard')
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
      reload()
    },
    done,
  }
}

const GATHER_MS = 40
const BEHIND_PAUSE_MS = 200
