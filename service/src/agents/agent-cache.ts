import { setTimeout as sleep } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import type { BaseToken } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { LRUCache } from 'lru-cache'
import { prepareSnapshot } from '../endpoint/prepare-snapshot.ts'
import type { Snapshot } from '../endpoint/representation.ts'
import type { RememberedAgent } from '../store/agents.ts'
import type { AgentDocuments } from './agent-documents.ts'
import { describeAgent } from './describe-agent.ts'

/** An agent's prepared answers. */
export interface AgentView {
  readonly detail: Snapshot
  readonly card: Snapshot | undefined
}

export interface AgentBookParts {
  /** What the store remembers. */
  find(network: Network, address: Address): Promise<RememberedAgent>
  /** What the chain and the documents say now; it is remembered on the way. */
  read(network: Network, address: Address): Promise<RememberedAgent>
  isServed(network: Network): boolean
  tokensOf(network: Network, address: Address): BaseToken[]
  publicUrl: string
  /** An agent that is known could not be read again; said once for each attempt. */
  onRefreshFailed(error: unknown): void
  now?(): number
  limits?: Partial<AgentBookLimits>
}

export interface AgentBookLimits {
  /** Younger than this, an agent is served as it is. */
  freshMs: number
  /** Up to this age it is served as it is while it is read again; beyond it, the reading is waited for. */
  staleMs: number
  /** But no longer than this: then what is remembered is better than nothing. */
  waitMs: number
  /** A refusal is remembered for this long, so that nobody makes us ask the chain at will. */
  absentMs: number
  bytesMax: number
}

export const AGENT_BOOK_LIMITS: AgentBookLimits = {
  freshMs: 5_000,
  staleMs: 60_000,
  waitMs: 1_000,
  absentMs: 2_000,
  bytesMax: 134_217_728,
}

export interface AgentBook {
  /** What can be sent at once, undefined for all that has to be waited for. */
  peek(network: Network, address: Address): AgentView | undefined
  /** From memory, then the store, then the chain; undefined when no such agent is registered. */
  get(network: Network, address: Address): Promise<AgentView | undefined>
  /** Somebody wrote to the store. */
  changed(network: Network, addresses: readonly Address[]): void
  everythingChanged(): void
  /** The launches of this agent have changed. */
  launchesChanged(network: Network, address: Address): void
  /** Reads the agent from the chain now. */
  refresh(network: Network, address: Address): Promise<void>
}

interface Page {
  remembered: RememberedAgent
  view: AgentView
  /** When the chain was last asked; zero for what comes from the store. */
  readAtMs: number
  /** While the chain does not answer, nobody waits for it again and again. */
  failedAtMs: number
  bytes: number
}

/** Something that is being read; what was told meanwhile may not be in it. */
interface Flight {
  page: Promise<Page | undefined>
  isOutdated: boolean
}

type Key = `${Network}/${Address}`

/** The agents in memory. */
export function createAgentBook(parts: AgentBookParts): AgentBook {
  const { now = Date.now } = parts
  const limits = { ...AGENT_BOOK_LIMITS, ...parts.limits }
  const pages = new LRUCache<Key, Page>({ maxSize: limits.bytesMax, sizeCalculation: ({ bytes }) => bytes })
  const absent = new LRUCache<Key, number>({ max: 10_000 })
  /** From the store, and from the chain. */
  const loads = new Map<Key, Flight>()
  const readings = new Map<Key, Flight>()

  function put(
    network: Network,
    address: Address,
    remembered: RememberedAgent,
    readAtMs: number,
  ): Page | undefined {
    const key: Key = `${network}/${address}`
    const { row } = remembered
    if (!row) {
      pages.delete(key)
      if (readAtMs > 0) absent.set(key, now())
      return undefined
    }
    absent.delete(key)
    const { detail, card } = describeAgent(
      {
        network,
        address,
        facts: row,
        documents: row.documents as AgentDocuments,
        verifiedAt: remembered.verifiedAt,
        authoredCard: remembered.authoredCard,
        tokens: parts.tokensOf(network, address),
      },
      parts.publicUrl,
    )
    const view = {
      detail: prepareSnapshot(Buffer.from(JSON.stringify(detail))),
      card: card && prepareSnapshot(card),
    }
    const before = pages.peek(key)
    const failedAtMs = before?.readAtMs === readAtMs ? before.failedAtMs : 0
    const page: Page = { remembered, view, readAtMs, failedAtMs, bytes: sizeOf(view, row.documents) }
    pages.set(key, page)
    return page
  }

  /**
   * One flight at a time for an agent; whoever comes meanwhile shares it. What operators and other nodes wrote while it
   * was in the air is found in the store, or it would be shown and then hidden again.
   */
  function share(
    flying: Map<Key, Flight>,
    [network, address]: [Network, Address],
    {
      read,
      readAtMs,
      onFailed,
    }: { read(): Promise<RememberedAgent>; readAtMs(): number; onFailed?(error: unknown): void },
  ): Promise<Page | undefined> {
    const key: Key = `${network}/${address}`
    const known = flying.get(key)
    if (known) return known.page
    const flight: Flight = { isOutdated: false, page: land().finally(() => flying.delete(key)) }
    // Once, however many wait for it.
    flight.page.catch(error => onFailed?.(error))
    async function land() {
      let remembered = await read()
      while (flight.isOutdated) {
        flight.isOutdated = false
        remembered = await parts.find(network, address)
      }
      return put(network, address, remembered, readAtMs())
    }
    flying.set(key, flight)
    return flight.page
  }

  const load = (network: Network, address: Address) =>
    share(loads, [network, address], {
      read: () => parts.find(network, address),
      readAtMs: () => pages.peek(`${network}/${address}`)?.readAtMs ?? 0,
    })

  const refresh = (network: Network, address: Address) =>
    share(readings, [network, address], {
      read: () => parts.read(network, address),
      readAtMs: now,
      onFailed(error) {
        const page = pages.peek(`${network}/${address}`)
        if (!page) return
        page.failedAtMs = now()
        parts.onRefreshFailed(error)
      },
    })

  /** The page after a reading, or as it was when that takes too long or fails. */
  async function refreshed(network: Network, address: Address, page: Page): Promise<Page | undefined> {
    if (now() - page.failedAtMs < limits.freshMs) return page
    const reading = refresh(network, address).catch(() => page)
    const late = sleep(limits.waitMs, undefined, { ref: false }).then(() => {
      // Whoever comes while it is still being read has no reason to hope for more.
      page.failedAtMs = now()
      return page
    })
    return Promise.race([reading, late])
  }

  /** A known page that may be sent without asking anybody; one that has aged a little is read again behind it. */
  function current(network: Network, address: Address): Page | undefined {
    const page = pages.get(`${network}/${address}`)
    if (!page) return undefined
    const ageMs = now() - page.readAtMs
    if (ageMs > limits.staleMs) return undefined
    if (ageMs > limits.freshMs && now() - page.failedAtMs >= limits.freshMs)
      refresh(network, address).catch(() => {})
    return page
  }

  async function get(network: Network, address: Address): Promise<Page | undefined> {
    if (!parts.isServed(network)) return undefined
    const page = current(network, address)
    if (page) return page
    const key: Key = `${network}/${address}`
    if (now() - (absent.get(key) ?? Number.NEGATIVE_INFINITY) < limits.absentMs) return undefined
    const aged = pages.get(key) ?? (await load(network, address))
    return aged ? refreshed(network, address, aged) : refresh(network, address)
  }

  /** Prints a known page again from the store, without asking the chain. */
  function reload(network: Network, address: Address) {
    const key: Key = `${network}/${address}`
    absent.delete(key)
    const [loading, reading] = [loads.get(key), readings.get(key)]
    if (reading) reading.isOutdated = true
    if (loading) loading.isOutdated = true
    else if (pages.has(key)) load(network, address).catch(parts.onRefreshFailed)
  }

  return {
    peek: (network, address) => current(network, address)?.view,
    get: async (network, address) => (await get(network, address))?.view,
    changed(network, addresses) {
      for (const address of addresses) reload(network, address)
    },
    everythingChanged() {
      for (const page of pages.values()) page.readAtMs = 0
      for (const flight of [...loads.values(), ...readings.values()]) flight.isOutdated = true
      absent.clear()
    },
    launchesChanged(network, address) {
      const page = pages.peek(`${network}/${address}`)
      if (page) put(network, address, page.remembered, page.readAtMs)
    },
    async refresh(network, address) {
      await refresh(network, address)
    },
  }
}

/** The bytes of the answers, and of what they were made of: an answer may show little of large documents. */
function sizeOf({ detail, card }: AgentView, documents: object): number {
  return detail.identity.length + (card?.identity.length ?? 0) + JSON.stringify(documents).length * 2 + 1_024
}
