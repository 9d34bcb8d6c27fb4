import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import type { BaseToken } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { LRUCache } from 'lru-cache'
import type { RememberedAgent } from '../store/agents.ts'
import type { AgentDocuments } from './agent-documents.ts'
import { type AgentView, type CardOptions, createAgentView } from './describe-agent.ts'

interface AgentCacheParts extends CardOptions {
  /** Finds the agent in the store. */
  find(network: Network, address: Address): Promise<RememberedAgent>
  /** Reads the agent from the chain and its documents, and saves it in the store. */
  read(network: Network, address: Address): Promise<RememberedAgent>
  isServed(network: Network): boolean
  tokensOf(network: Network, address: Address): BaseToken[]
  /** Counts a read of the chain against the client's limit. Throws if the limit is used up. */
  chargeChainRead(client: string): void
  /** A known agent could not be refreshed. Called once per attempt. */
  onRefreshFailed(error: unknown): void
  now?(): number
  limits?: Partial<AgentCacheLimits>
}

export interface AgentCacheLimits {
  /** A younger entry is served as it is. */
  freshMs: number
  /** Up to this age an entry is served while it is refreshed in the background; an older one is refreshed first. */
  staleMs: number
  /** How long a caller waits for that refresh before it gets the old entry. */
  waitMs: number
  /** How long a caller waits instead if the index has the agent, but none of its documents yet. */
  documentsWaitMs: number
  bytesMax: number
}

const AGENT_CACHE_LIMITS: AgentCacheLimits = {
  freshMs: 5_000,
  staleMs: 60_000,
  waitMs: 1_000,
  documentsWaitMs: 4_000,
  bytesMax: 134_217_728,
}

export interface AgentCache {
  /** Finds an entry that can be served without waiting. */
  peek(network: Network, address: Address): AgentView | undefined
  /**
   * Looks in memory, then in the store. Only if the index may lack the agent, the chain is read, and the client is
   * charged for it. Undefined if no such agent is registered.
   */
  get(network: Network, address: Address, client: string): Promise<AgentView | undefined>
  /** Resolves once the agent is shown as it was stored at the time of the call. Does not read the chain. */
  show(network: Network, address: Address): Promise<void>
  /** These agents have changed in the store. */
  changed(network: Network, addresses: readonly Address[]): void
  /** Resolves once the agents that have changed are shown as they were stored then. */
  caughtUp(): Promise<unknown>
  /** Changes may have been missed: every entry is refreshed before it is served again. */
  everythingChanged(): void
  /** The launches of this agent have changed. */
  launchesChanged(network: Network, address: Address): void
  /** Reads the agent from the chain now. */
  refresh(network: Network, address: Address): Promise<void>
}

interface Entry {
  remembered: RememberedAgent
  view: AgentView
  /** When it was last read from the chain; zero if it comes from the store. */
  readAtMs: number
  /** When the last refresh failed, so that not every caller waits for the chain while it is down. */
  failedAtMs: number
  bytes: number
}

/** The agent is hidden, or a current index doesn't have it, so there is no need to ask the chain. */
const ABSENT = Symbol('absent')

/** A read in progress. */
interface Reading {
  entry: Promise<Entry | typeof ABSENT | undefined>
  /** The agent has changed in the store since the read started. */
  isOutdated: boolean
}

type Key = `${Network}/${Address}`

/** Keeps the prepared answers of agents in memory. */
export function createAgentCache(parts: AgentCacheParts): AgentCache {
  const { now = Date.now } = parts
  const limits = { ...AGENT_CACHE_LIMITS, ...parts.limits }
  const entries = new LRUCache<Key, Entry>({
    maxSize: limits.bytesMax,
    sizeCalculation: ({ bytes }) => bytes,
  })
  const storeReads = new Map<Key, Reading>()
  const chainReads = new Map<Key, Reading>()

  function put(
    network: Network,
    address: Address,
    remembered: RememberedAgent,
    readAtMs: number,
  ): Entry | typeof ABSENT | undefined {
    const key: Key = `${network}/${address}`
    const { row, hiddenAt, isIndexCurrent } = remembered
    if (!row || hiddenAt) {
      entries.delete(key)
      return hiddenAt || isIndexCurrent ? ABSENT : undefined
    }
    const { view, bytes } = createAgentView(
      {
        network,
        address,
        facts: row,
        documents: row.documents as AgentDocuments,
        verifiedAt: remembered.verifiedAt,
        authoredCard: remembered.authoredCard,
        isCardRemoved: remembered.isCardRemoved,
        tokens: parts.tokensOf(network, address),
      },
      parts,
    )
    const before = entries.peek(key)
    const failedAtMs = before?.readAtMs === readAtMs ? before.failedAtMs : 0
    const entry: Entry = { remembered, view, readAtMs, failedAtMs, bytes }
    entries.set(key, entry)
    return entry
  }

  /**
   * Runs one read per agent at a time, which all callers share. If the agent changes in the store meanwhile, it is
   * loaded from there again: otherwise the change would appear and then disappear.
   */
  function share(
    running: Map<Key, Reading>,
    [network, address]: [Network, Address],
    {
      read,
      readAtMs,
      onFailed,
    }: { read(): Promise<RememberedAgent>; readAtMs(): number; onFailed?(error: unknown): void },
  ): Reading['entry'] {
    const key: Key = `${network}/${address}`
    const known = running.get(key)
    if (known) return known.entry
    const reading: Reading = { isOutdated: false, entry: run().finally(() => running.delete(key)) }
    // Reported once, however many callers wait.
    reading.entry.catch(error => onFailed?.(error))
    async function run() {
      let remembered = await read()
      while (reading.isOutdated) {
        reading.isOutdated = false
        remembered = await parts.find(network, address)
      }
      return put(network, address, remembered, readAtMs())
    }
    running.set(key, reading)
    return reading.entry
  }

  const load = (network: Network, address: Address) =>
    share(storeReads, [network, address], {
      read: () => parts.find(network, address),
      readAtMs: () => entries.peek(`${network}/${address}`)?.readAtMs ?? 0,
    })

  const refresh = (network: Network, address: Address) =>
    share(chainReads, [network, address], {
      read: () => parts.read(network, address),
      readAtMs: now,
      onFailed(error) {
        const entry = entries.peek(`${network}/${address}`)
        if (!entry) return
        entry.failedAtMs = now()
        parts.onRefreshFailed(error)
      },
    })

  /** The entry after a refresh, or the old one if that takes too long or fails. */
  async function refreshed(network: Network, address: Address, entry: Entry): Reading['entry'] {
    if (now() - entry.failedAtMs < limits.freshMs) return entry
    const fresh = refresh(network, address).catch(() => entry)
    const { agentUri, documents } = entry.remembered.row ?? {}
    const isBare = agentUri && Object.keys(documents ?? {}).length === 0
    const waitMs = isBare ? limits.documentsWaitMs : limits.waitMs
    const late = sleep(waitMs, undefined, { ref: false }).then(() => {
      // The next callers do not wait for this read.
      entry.failedAtMs = now()
      return entry
    })
    return Promise.race([fresh, late])
  }

  /** Finds an entry that is fresh enough to be served. An older one is refreshed in the background. */
  function current(network: Network, address: Address): Entry | undefined {
    const entry = entries.get(`${network}/${address}`)
    if (!entry) return undefined
    const ageMs = now() - entry.readAtMs
    if (ageMs > limits.staleMs) return undefined
    if (ageMs > limits.freshMs && now() - entry.failedAtMs >= limits.freshMs)
      refresh(network, address).catch(() => {})
    return entry
  }

  async function get(network: Network, address: Address, client: string): Reading['entry'] {
    if (!parts.isServed(network)) return undefined
    const entry = current(network, address)
    if (entry) return entry
    const key: Key = `${network}/${address}`
    const known = entries.get(key)
    // Changes may have been missed, such as an operator's: the store is faster than the chain.
    const isOutdated = !known || known.readAtMs === 0
    const aged = isOutdated
      ? await load(network, address).catch(error => known ?? Promise.reject(error))
      : known
    if (aged === ABSENT) return ABSENT
    if (aged) return refreshed(network, address, aged)
    parts.chargeChainRead(client)
    return refresh(network, address)
  }

  /** Reloads a known agent from the store. Any other agent is loaded when it is next requested. */
  async function reload(network: Network, address: Address): Promise<void> {
    const key: Key = `${network}/${address}`
    const [storeRead, chainRead] = [storeReads.get(key), chainReads.get(key)]
    if (chainRead) chainRead.isOutdated = true
    if (storeRead) storeRead.isOutdated = true
    if (storeRead) await storeRead.entry
    else if (entries.has(key)) await load(network, address)
  }

  return {
    peek: (network, address) => current(network, address)?.view,
    async get(network, address, client) {
      const entry = await get(network, address, client)
      return entry === ABSENT ? undefined : entry?.view
    },
    show: reload,
    changed(network, addresses) {
      for (const address of addresses) reload(network, address).catch(parts.onRefreshFailed)
    },
    caughtUp: () => Promise.all([...storeReads.values()].map(({ entry }) => entry)),
    everythingChanged() {
      for (const entry of entries.values()) entry.readAtMs = 0
      for (const reading of [...storeReads.values(), ...chainReads.values()]) reading.isOutdated = true
    },
    launchesChanged(network, address) {
      const entry = entries.peek(`${network}/${address}`)
      if (entry) put(network, address, entry.remembered, entry.readAtMs)
    },
    async refresh(network, address) {
      await refresh(network, address)
    },
  }
}
