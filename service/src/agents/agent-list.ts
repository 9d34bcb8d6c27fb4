import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { createKeptReads } from '../lib/kept-reads.ts'
import { createRunSoon } from '../lib/run-soon.ts'
import type { Database } from '../store/database.ts'
import { createHeavyQueries, type RunHeavy } from '../store/heavy-queries.ts'
import {
  type AgentFilter,
  type AgentOrder,
  countListed,
  findListedPage,
  findOwnedAgents,
  matchingFlags,
  readListedAgents,
  readListedVersions,
} from '../store/list-agents.ts'
import { canSearchFuzzily } from '../store/prepare-search.ts'
import { searchAgents } from '../store/search-agents.ts'
import { toQueryWords } from '../store/search-names.ts'
import { buildListedRecord, type ListedRecord, sizeOf } from './agent-record.ts'

export interface AgentListQuery {
  network: Network
  page: number
  pageSize: number
  /** Absent for the whole list. */
  text: string | undefined
  order: AgentOrder
  filter: AgentFilter
  /** Absent for the agents of all owners. */
  owner?: Address | undefined
}

interface AgentPage {
  agents: ListedRecord[]
  total: number
  page: number
  pageSize: number
  totalPages: number
}

export interface AgentList {
  /** Returns one page. A page past the end is empty. */
  find(query: AgentListQuery): Promise<AgentPage>
  /** Undefined unless the agent is listed and offers a service. */
  findOne(network: Network, address: Address): Promise<ListedRecord | undefined>
  /** Call it when agents have changed in the store. */
  changed(): void
  /** Finds out what the database can search for. Until then, only the beginnings of names are searched. */
  start(): Promise<void>
}

interface AgentListParts {
  database: Database
  publicUrl: string
  isServed(network: Network): boolean
  /** The database cannot search for similar words. */
  onPrefixOnly(): void
  /** Runs searches and deep pages. */
  runHeavy?: RunHeavy
}

/** A search is repeated after this time; until then, its pages come from memory. */
const SEARCH_MS = 5_000
/** The same while agents are changing, so that a hidden agent soon disappears from all pages. */
const CHANGED_SEARCH_MS = 500
/** In all cached searches together. */
const CACHED_MATCHES_MAX = 500_000
const DEEP_OFFSET = 10_000
/** The records in memory. Each is built from documents that may be megabytes, so it is kept until the agent changes. */
const RECORDS_BYTES_MAX = 32 * 1024 * 1024
/** How many agents' documents one query reads, and how many such queries run at once. */
const READ_TOGETHER = 4
const READS_AT_ONCE = 2

export function createAgentList({
  database,
  publicUrl,
  isServed,
  onPrefixOnly,
  runHeavy = createHeavyQueries(),
}: AgentListParts): AgentList {
  let isFuzzy = false
  const searches = createKeptReads<string, Address[]>({
    keptMs: SEARCH_MS,
    sizeMax: CACHED_MATCHES_MAX,
    sizeOf: (matches, key) => matches.length + Math.ceil(key.length / 40) + 4,
  })
  const records = new LRUCache<string, ListedRecord & { version: string }>({
    maxSize: RECORDS_BYTES_MAX,
    sizeCalculation: ({ record }) => 2 * sizeOf(record) + 2_000,
  })
  const readInTurn = pLimit(READS_AT_ONCE)

  /** All agents of an owner, all matches of a search, or all matches among the agents of an owner. */
  async function search({ network, text, order, filter, owner }: AgentListQuery): Promise<Address[]> {
    const flags = matchingFlags(filter)
    const words = text === undefined ? undefined : toQueryWords(text)
    if (words === '') return []
    const owned =
      owner &&
      (await remember([network, order, flags, owner], () =>
        findOwnedAgents(database, network, { owner, flags, order }),
      ))
    if (words === undefined) return owned ?? []
    return remember([network, order, flags, owner, words], () =>
      searchAgents(database, network, { words, flags, order, among: owned }, { isFuzzy }),
    )
  }

  /** The matches, from memory if they were found a moment ago. */
  const remember = (parts: unknown[], find: () => Promise<Address[]>) =>
    searches(JSON.stringify(parts), () => runHeavy(find))

  async function findAddresses(
    query: AgentListQuery,
    offset: number,
  ): Promise<{ total: number; addresses: Address[] }> {
    const { network, pageSize, order, filter } = query
    if (query.text !== undefined || query.owner !== undefined) {
      const matches = await search(query)
      return { total: matches.length, addresses: matches.slice(offset, offset + pageSize) }
    }
    const counts = await countListed(database, network)
    const flags = matchingFlags(filter).filter(value => counts.has(value))
    const total = flags.reduce((sum, value) => sum + (counts.get(value) ?? 0), 0)
    const find = () => findListedPage(database, network, { flags, total, order, offset, limit: pageSize })
    const isDeep = Math.min(offset, total - offset) > DEEP_OFFSET
    return { total, addresses: isDeep ? await runHeavy(find) : await find() }
  }

  /** In this order, without those that were removed or hidden meanwhile. Documents are read only of agents that have changed. */
  async function readRecords(network: Network, addresses: readonly Address[]): Promise<ListedRecord[]> {
    const versions = await readListedVersions(database, network, addresses)
    const keyOf = (address: Address) => `${network} ${address}`
    const missing = versions.filter(
      ({ address, version }) => records.get(keyOf(address))?.version !== version,
    )
    const built = new Map<Address, ListedRecord>()
    for (let at = 0; at < missing.length; at += READ_TOGETHER) {
      const batch = missing.slice(at, at + READ_TOGETHER).map(({ address }) => address)
      await readInTurn(async () => {
        for (const listed of await readListedAgents(database, network, batch)) {
          const { address } = listed.row
          const record = buildListedRecord(listed, publicUrl)
          records.set(keyOf(address), { ...record, version: listed.version })
          built.set(address, record)
          // The longest documents take 10 ms each, and other clients shouldn't wait for all of them.
          await nextTurn()
        }
      })
    }
    return versions.flatMap(({ address, delegates }) => {
      const known = built.get(address) ?? records.get(keyOf(address))
      return known ? { ...known, record: { ...known.record, delegates } } : []
    })
  }

  return {
    changed: createRunSoon(CHANGED_SEARCH_MS, () => searches.clear()),
    async start() {
      isFuzzy = await canSearchFuzzily(database, 'agents')
      if (!isFuzzy) onPrefixOnly()
    },
    async findOne(network, address) {
      const [listed] = isServed(network) ? await readRecords(network, [address]) : []
      return listed?.hasServices ? listed : undefined
    },
    async find(query) {
      const { network, page, pageSize } = query
      const { total, addresses } = isServed(network)
        ? await findAddresses(query, (page - 1) * pageSize)
        : { total: 0, addresses: [] }
      const agents = await readRecords(network, addresses)
      return { agents, total, page, pageSize, totalPages: Math.ceil(total / pageSize) }
    },
  }
}
