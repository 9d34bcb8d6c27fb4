import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { createLaunchList, fingerprintOf, type LaunchListQuery } from '@slipway/service/launches/launch-list'
import { encodeCursor } from '@slipway/service/launches/page-cursor'
import type { Database } from '@slipway/service/store/database'
import {
  buildStretchQuery,
  LAUNCH_ORDERS,
  type LaunchFilter,
  type LaunchOrder,
} from '@slipway/service/store/list-launches'
import { type SQL, sql } from 'drizzle-orm'
import { printTable } from './lib.ts'
import { BUSY_CREATOR, generateLaunches, withStore } from './sample-store.ts'

const NETWORK = 'chain-mainnet'
/** The fastest counts: other programs on the machine only ever make a run slower. */
const RUNS = 5
/** Generating and vacuuming are the longest statements. */
const STATEMENT_MS = 3_600_000
const DAY_MS = 86_400_000

const FILTERS: [name: string, filter: LaunchFilter][] = [
  ['none', {}],
  ['`status=live`', { status: 'live' }],
  ['`status=upcoming`', { status: 'upcoming' }],
  ['`status=graduated`', { status: 'graduated' }],
  ['`spotlight=true`', { spotlight: true }],
  ['`mechanic=presaleV2`', { mechanic: 'presaleV2' }],
  [
    '`status=live`, `spotlight=true`, `mechanic=presaleV2`',
    { status: 'live', spotlight: true, mechanic: 'presaleV2' },
  ],
  ['`closed=true`', { closed: true }],
  ['`closed=false`', { closed: false }],
  ['`status=live`, `closed=false`', { status: 'live', closed: false }],
]

const SEARCHES = [
  'agent',
  'agant',
  'trading bot',
  'traidng bot',
  'hokifer',
  'hokfier',
  'pamutibes somot',
  '999999',
  'a',
  'abcd',
  'nothing like this',
  '%_%',
  'ab '.repeat(66),
  'x'.repeat(200),
]

/** Measures pages of launches and searches on a real PostgreSQL: the plans, and the time of a whole page. */
export async function benchPages([size = '1000000']: string[]): Promise<void> {
  await withStore(
    async database => {
      await generateLaunches(database, Number(size))
      await measureOrders(database)
      await measureSearches(database)
      await measureCreators(database)
    },
    { statementMs: STATEMENT_MS },
  )
}

async function measureOrders(database: Database): Promise<void> {
  const rows: string[][] = []
  let [firstMax, deepMax] = [0, 0]
  for (const [name, filter] of FILTERS)
    for (const order of LAUNCH_ORDERS) {
      const query = { network: NETWORK, filter, order } as const
      const first = await measure(database, { ...query, limit: 50 })
      const wide = await measure(database, { ...query, limit: 200 })
      const cursor = await findDeepCursor(database, filter, order, first.total)
      const deep = await measure(database, { ...query, limit: 200, cursor })
      // A day later, the starts of that day are not written: thousands of live launches still count as upcoming.
      const late = await measure(database, { ...query, limit: 50 }, Date.now() + DAY_MS)
      firstMax = Math.max(firstMax, first.ms)
      deepMax = Math.max(deepMax, deep.ms)
      const selection = { network: NETWORK, filter, nowMs: Date.now() } as const
      const plan = await describePlan(
        database,
        buildStretchQuery(selection, { order, isBackward: false, limit: 50 }),
      )
      rows.push([name, order, first.total.toLocaleString('en'), plan, ...[first, wide, deep, late].map(toMs)])
    }
  const columns = ['first 50, ms', 'first 200', '200 from the middle', 'first 50, a day of starts unwritten']
  printTable('Orders and filters', ['filters', 'order', 'launches', 'plan', ...columns], rows)
  printTable(
    'The slowest',
    ['first page of 50, ms', 'deep page of 200'],
    [[firstMax.toFixed(1), deepMax.toFixed(1)]],
  )
}

const toMs = ({ ms }: { ms: number }) => ms.toFixed(1)

/** A place in the middle of the order, among launches with equal keys. */
async function findDeepCursor(
  database: Database,
  filter: LaunchFilter,
  order: LaunchOrder,
  total: number,
): Promise<string> {
  const middle = Math.floor(total / 2)
  const selection = { network: NETWORK, filter, nowMs: Date.now() } as const
  const stretch = buildStretchQuery(selection, { order, isBackward: false, limit: middle + 1 })
  const { rows } = await database.run('bench.middle', db =>
    db.execute<{ key: string }>(sql`SELECT key FROM (${stretch}) AS half OFFSET ${middle} LIMIT 1`),
  )
  const place = { key: rows[0]?.key ?? '0', address: WRAPPED_NATIVE_MINT, score: 0 }
  const list = fingerprintOf({ network: NETWORK, order, filter })
  return encodeCursor({ place, asOfMs: order === 'ending' ? Date.now() : 0 }, list)
}

async function measureSearches(database: Database): Promise<void> {
  const rows: string[][] = []
  for (const text of SEARCHES) {
    const query = { network: NETWORK, order: 'activity', limit: 50, text } as const
    const all = await measure(database, { ...query, filter: {} })
    const few = await measure(database, { ...query, filter: { status: 'live', mechanic: 'presaleV2' } })
    const shown = text.length > 24 ? `${text.slice(0, 6)}… (${text.length})` : text
    rows.push([`\`${shown}\``, count(all), toMs(all), count(few), toMs(few)])
  }
  printTable('Searches', ['query', 'matches', 'ms', 'matches, live presales', 'ms'], rows)
}

const count = ({ total }: { total: number }) => total.toLocaleString('en')

async function measureCreators(database: Database): Promise<void> {
  const query = { network: NETWORK, filter: {}, order: 'raised', limit: 50 } as const
  const busy = await measure(database, { ...query, creator: BUSY_CREATOR as Address })
  printTable(
    'A creator with 20,000 launches',
    ['launches found', 'first page, ms'],
    [[count(busy), toMs(busy)]],
  )
}

/** The time of a page, from the query to its launches, without anything cached here. */
async function measure(
  database: Database,
  query: LaunchListQuery,
  nowMs = Date.now(),
): Promise<{ ms: number; total: number }> {
  const times: number[] = []
  let total = 0
  for (let run = 0; run < RUNS; run += 1) {
    const list = createLaunchList({
      database,
      launchPage: 'https://slipway.example/{genesisAddress}',
      clock: () => nowMs,
    })
    await list.start()
    const start = performance.now()
    const { page } = await list.find(query)
    times.push(performance.now() - start)
    total = page.total
  }
  return { ms: Math.min(...times), total }
}

interface PlanNode {
  'Node Type': string
  Plans?: PlanNode[]
}

/** The nodes of a query's plan, outermost first; its scans are counted. */
async function describePlan(database: Database, query: SQL): Promise<string> {
  const { rows } = await database.run('bench.explain', db =>
    db.execute<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(sql`EXPLAIN (FORMAT JSON) ${query}`),
  )
  const seen: string[] = []
  const visit = (node: PlanNode) => {
    seen.push(node['Node Type'])
    for (const child of node.Plans ?? []) visit(child)
  }
  visit((rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan)
  const scans = seen.filter(name => name.endsWith('Scan') && name !== 'Subquery Scan')
  const others = seen.filter(name => !name.endsWith('Scan') && name !== 'Limit')
  return [...others, `${scans.length} × ${[...new Set(scans)].join(', ')}`].join(' of ')
}
