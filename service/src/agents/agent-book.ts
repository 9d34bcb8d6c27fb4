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
}

type Key = `${Network}/${Address}`

/** The agents in memory. */
export function createAgentBook(parts: AgentBookParts): AgentBook {
  const { now = Date.now } = parts
  const limits = { ...AGENT_BOOK_LIMITS, ...parts.limits }
  const pages = new LRUCache<Key, Page>({ maxSize: limits.bytesMax, sizeCalculation: sizeOf })
  const absent = new LRUCache<Key, number>({ max: 10_000 })
  const flights = new Map<Key, Promise<Page | undefined>>()

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
    const page: Page = { remembered, view, readAtMs, failedAtMs: 0 }
    pages.set(key, page)
    return page
  }

  /** One reading at a time for an agent; whoever comes meanwhile shares it. */
  function refresh(network: Network, address: Address): Promise<Page | undefined> {
    const key: Key = `${network}/${address}`
    const known = flights.get(key)
    if (known) return known
    const flight = parts
      .read(network, address)
      .then(remembered => put(network, address, remembered, now()))
      .catch(error => {
        const page = pages.peek(key)
        if (page) page.failedAtMs = now()
        throw error
      })
      .finally(() => flights.delete(key))
    flights.set(key, flight)
    return flight
  }

  function refreshLater(network: Network, address: Address) {
    refresh(network, address).catch(parts.onRefreshFailed)
  }

  /** The page after a reading, or as it was when that takes too long or fails. */
  async function refreshed(network: Network, address: Address, page: Page): Promise<Page | undefined> {
    if (now() - page.failedAtMs < limits.freshMs) return page
    const reading = refresh(network, address).catch(error => {
      parts.onRefreshFailed(error)
      return page
    })
    return Promise.race([reading, sleep(limits.waitMs, page, { ref: false })])
  }

  /** A known page that may be sent without asking anybody; one that has aged a little is read again behind it. */
  function current(network: Network, address: Address): Page | undefined {
    const page = pages.get(`${network}/${address}`)
    if (!page) return undefined
    const ageMs = now() - page.readAtMs
    if (ageMs > limits.staleMs) return undefined
    if (ageMs > limits.freshMs && now() - page.failedAtMs >= limits.freshMs) refreshLater(network, address)
    return page
  }

  async function get(network: Network, address: Address): Promise<Page | undefined> {
    if (!parts.isServed(network)) return undefined
    const page = current(network, address)
    if (page) return page
    const key: Key = `${network}/${address}`
    if (now() - (absent.get(key) ?? Number.NEGATIVE_INFINITY) < limits.absentMs) return undefined
    const aged = pages.get(key) ?? put(network, address, await parts.find(network, address), 0)
    return aged ? refreshed(network, address, aged) : refresh(network, address)
  }

  /** Prints the page again from the store, without asking the chain. */
  async function reload(network: Network, address: Address): Promise<void> {
    const page = pages.peek(`${network}/${address}`)
    absent.delete(`${network}/${address}`)
    if (!page) return
    const remembered = await parts.find(network, address)
    put(network, address, remembered, page.readAtMs)
  }

  return {
    peek: (network, address) => current(network, address)?.view,
    get: async (network, address) => (await get(network, address))?.view,
    changed(network, addresses) {
      for (const address of addresses) reload(network, address).catch(parts.onRefreshFailed)
    },
    everythingChanged() {
      for (const page of pages.values()) page.readAtMs = 0
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

/** The bytes of the answers, and about as much again for what they were made of. */
function sizeOf({ view: { detail, card } }: Page): number {
  return 2 * (detail.identity.length + (card?.identity.length ?? 0)) + 1_024
}
