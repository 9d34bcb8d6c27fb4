import { type AgentListQuery, createAgentList } from '@slipway/service/agents/agent-list'
import type { Database } from '@slipway/service/store/database'
import {
  type AgentFilter,
  buildPageQuery,
  countListed,
  matchingFlags,
} from '@slipway/service/store/list-agents'
import { withStore } from '../lib/bench-store.ts'
import { describePlan } from '../lib/describe-plan.ts'
import { printTable } from '../lib/report.ts'
import { generateAgents } from './sample-agents.ts'

const PAGE_SIZE = 100
/** The fastest counts: other programs on the machine only ever make a run slower. */
const RUNS = 3
const DEEP_RUNS = 2
/** Generating and vacuuming are the longest statements. */
const STATEMENT_MS = 3_600_000

const SEARCHES = [
  'agent',
  'agant',
  'trading bot',
  'traidng bot',
  'hokifer',
  'hokfier',
  'pamutibes somot',
  'pamutibse sommot',
  '999999',
  'a',
  'nothing like this',
  '%_%',
  "'; DROP TABLE agents; --",
  '🤖'.repeat(200),
  'ab '.repeat(66),
  'x'.repeat(200),
]

/** Measures the list of agents and its search on a real PostgreSQL: the plans, and the time of a whole page. */
export async function benchFind([size = '1000000']: string[]): Promise<void> {
  await withStore(
    async database => {
      await generateAgents(database, Number(size))
      await measurePages(database)
      await measureSearches(database)
    },
    { statementMs: STATEMENT_MS },
  )
}

async function measurePages(database: Database): Promise<void> {
  const filters = listFilters()
  const best = new Map<AgentFilter, Record<string, number>>()
  // In both orders, because a disturbance usually lasts longer than one combination.
  for (const filter of [...filters, ...filters.toReversed()]) {
    const times = best.get(filter) ?? {}
    best.set(filter, times)
    for (const [place, page] of Object.entries(placesOf(await countMatching(database, filter)))) {
      const { ms } = await measure(database, { filter, page, order: 'latest', text: undefined })
      times[place] = Math.min(ms, times[place] ?? Number.POSITIVE_INFINITY)
    }
  }
  const rows: string[][] = []
  for (const [filter, times] of best) {
    const matching = await countMatching(database, filter)
    const plan = await planOf(database, matching, placesOf(matching).middle)
    const total = matching.total.toLocaleString('en')
    rows.push([describe(filter), total, plan, ...Object.values(times).map(ms => ms.toFixed(1))])
  }
  const columns = ['first page, ms', 'hundredth', 'middle', 'last']
  printTable('Every combination of filters', ['filters', 'agents', 'plan', ...columns], rows)
  const slowest = (place: string) =>
    Math.max(...[...best.values()].map(times => times[place] ?? 0)).toFixed(1)
  printTable('The slowest combination', columns, [['first', 'hundredth', 'middle', 'last'].map(slowest)])
}

interface Matching {
  flags: number[]
  total: number
}

async function countMatching(database: Database, filter: AgentFilter): Promise<Matching> {
  const counts = await countListed(database, 'chain-mainnet')
  const flags = matchingFlags(filter).filter(value => counts.has(value))
  return { flags, total: flags.reduce((sum, value) => sum + (counts.get(value) ?? 0), 0) }
}

function placesOf({ total }: Matching) {
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE))
  return { first: 1, hundredth: Math.min(100, pages), middle: Math.ceil(pages / 2), last: pages }
}

async function measureSearches(database: Database): Promise<void> {
  const rows: string[][] = []
  for (const text of SEARCHES) {
    const all = await measure(database, { text, filter: {}, page: 1, order: 'latest' })
    const few = await measure(database, {
      text,
      filter: { verified: true, token: true },
      page: 1,
      order: 'latest',
    })
    const shown = text.length > 24 ? `${[...text].slice(0, 6).join('')}… (${[...text].length})` : text
    rows.push([
      `\`${shown}\``,
      all.total.toLocaleString('en'),
      all.ms.toFixed(0),
      few.total.toLocaleString('en'),
      few.ms.toFixed(0),
    ])
  }
  printTable('Searches', ['query', 'matches', 'ms', 'matches, verified with a token', 'ms'], rows)
}

/** The time of a page, from the query to the records, without anything cached here. */
async function measure(
  database: Database,
  query: Pick<AgentListQuery, 'filter' | 'page' | 'order' | 'text'>,
): Promise<{ ms: number; total: number }> {
  const times: number[] = []
  let total = 0
  const runs = query.page <= 100 ? RUNS : DEEP_RUNS
  for (let run = 0; run < runs; run += 1) {
    const list = createAgentList({
      database,
      publicUrl: 'https://slipway.example',
      isServed: () => true,
      onPrefixOnly() {
        throw new Error('pg_trgm is missing')
      },
    })
    await list.start()
    const start = performance.now()
    const page = await list.find({ network: 'chain-mainnet', pageSize: PAGE_SIZE, ...query })
    times.push(performance.now() - start)
    total = page.total
  }
  return { ms: Math.min(...times), total }
}

function listFilters(): AgentFilter[] {
  const names = ['token', 'services', 'spotlight', 'verified'] as const
  let filters: AgentFilter[] = [{}, { active: true }]
  for (const name of names)
    filters = filters.flatMap(filter => [filter, { ...filter, [name]: true }, { ...filter, [name]: false }])
  return filters
}

const describe = (filter: AgentFilter) =>
  Object.entries(filter)
    .map(([name, isSet]) => (isSet ? name : `no ${name}`))
    .join(', ') || 'none'

/** The nodes of the plan of a page. */
async function planOf(database: Database, { flags, total }: Matching, page: number): Promise<string> {
  if (total === 0) return '-'
  const offset = (page - 1) * PAGE_SIZE
  const { query } = buildPageQuery('chain-mainnet', {
    flags,
    total,
    order: 'latest',
    offset,
    limit: PAGE_SIZE,
  })
  return describePlan(database, query)
}
