import { setTimeout as sleep } from 'node:timers/promises'
import type { LaunchActivity } from '@slipway/schema/activity'
import { sql } from 'drizzle-orm'
import type { Config } from '../config.ts'
import type { IndexerLimits } from '../indexer/limits.ts'
import { seededRandom } from '../indexer/testing/random.ts'
import type { ConnectionOptions, Database } from '../store/database.ts'
import { insertLaunches } from '../store/launches.ts'
import { addressOf, launchRows, MINUTE_MS } from './launch-rows.ts'
import { startSimulatedChain } from './simulated-chain.ts'
import { ALLOCATION, type CurveState, createMarket, type MarketCurve, VIRTUAL } from './simulated-market.ts'

/** A node of the service that indexes the simulated chain. */
export interface SimulatedNode {
  url: string
  stop(): Promise<unknown>
}

export type StartNode = (options: {
  config: Partial<Config>
  limits: { indexer: Partial<IndexerLimits> }
}) => Promise<SimulatedNode>

interface DayOptions {
  connection: ConnectionOptions
  database: Database
  curves: number
  /** How often the market trades. Each time, about half of the curves change. */
  steps: number
  startNode: StartNode
  onEnd(stop: () => Promise<void>): void
}

export const DAY_MS = 86_400_000
/** How many steps of the market happen while the chain can't be reached. */
const GAP_STEPS = 4
const WAIT_MS_MAX = 20_000
const LIMITS: Partial<IndexerLimits> = {
  graceMs: 100,
  tickMs: 100,
  // Only reports, and reads after a gap: otherwise chance would decide which states are read.
  sweepMs: 1e9,
  pollMs: 1e9,
  slotsToFinality: 3,
  follow: { reconnectMsMin: 20, reconnectMsMax: 100 },
}

/**
 * Trades for a day of simulated time while nodes of the service follow: one is restarted, the connection is lost, and
 * another node takes over. Compares every minute that they serve with what the chain had. A state counts unless it was
 * replaced before the chain could be reached again, or was on a fork.
 */
export async function simulateDay(options: DayOptions) {
  const { database, curves: count, steps, startNode, onEnd } = options
  const { seed, of } = seededRandom()
  const random = of('market')
  const startMs = Math.floor((Date.now() - DAY_MS) / MINUTE_MS) * MINUTE_MS
  const chain = await startSimulatedChain(startMs)
  onEnd(chain.close)
  const market = createMarket(chain, count, startMs, addressOf)
  await insertLaunches(
    database,
    market.curves.map(({ name, mint, genesisAddress }) =>
      launchRows(name, { mint, genesisAddress, mechanic: 'bondingCurveV2', registeredAt: new Date(startMs) }),
    ),
  )
  const start = () =>
    startNode({
      config: {
        indexer: true,
        rpcUrls: { 'chain-mainnet': [chain.rpcUrl], 'chain-devnet': [] },
        rpcWsUrls: { 'chain-mainnet': chain.wsUrl, 'chain-devnet': undefined },
      },
      limits: { indexer: LIMITS },
    })

  let atMs = startMs
  const fork = market.curves[0] as MarketCurve
  let isForked = false
  function step() {
    atMs += Math.floor(random() * ((2 * DAY_MS) / steps - 1_000)) + 1_000
    atMs = Math.min(atMs, startMs + DAY_MS - 1_000)
    const traded = market.curves.filter(curve => random() < 0.5 && !(isForked && curve === fork))
    market.trade(traded, atMs, random)
  }
  /** The chain can't be reached for a few steps. Of the states in between, each curve keeps its last. */
  async function gap(meanwhile: () => Promise<unknown>) {
    chain.setReachable(false)
    const before = market.curves.map(({ states }) => states.length)
    await meanwhile()
    for (let at = 0; at < GAP_STEPS; at += 1) step()
    for (const [at, { states }] of market.curves.entries())
      states.splice(before[at] as number, Math.max(0, states.length - (before[at] as number) - 1))
    chain.setReachable(true)
    await caughtUp()
  }
  const caughtUp = (curves = market.curves) => until(() => isCaughtUp(database, curves))

  let node = await start()
  await caughtUp()
  const faults: Record<number, () => Promise<unknown>> = {
    [Math.floor(steps * 0.2)]: () => gap(async () => {}),
    [Math.floor(steps * 0.4)]: () =>
      gap(async () => {
        await node.stop()
        node = await start()
      }),
    [Math.floor(steps * 0.6)]: async () => {
      const leader = node
      node = await start()
      await gap(() => endLease(database))
      await leader.stop()
    },
    [Math.floor(steps * 0.8)]: async () => {
      market.trade([fork], atMs + 1_000, random)
      await caughtUp()
      isForked = true
      fork.states.pop()
      chain.rollBack(fork.bucket)
    },
  }
  for (let at = 0; at < steps; at += 1) {
    step()
    await caughtUp(market.curves.filter(curve => !(isForked && curve === fork)))
    await faults[at]?.()
  }
  await caughtUp()
  const differences: string[] = []
  let points = 0
  for (const curve of market.curves) {
    const served = await fetchMinutes(node.url, curve, startMs)
    points += served.length
    differences.push(...compare(curve, served, startMs))
  }
  return {
    seed,
    points,
    differences,
    chain,
    market,
    node,
    states: market.curves.reduce((sum, { states }) => sum + states.length, 0),
  }
}

/** Whether the last stored state of each curve is the chain's. */
async function isCaughtUp(database: Database, curves: readonly MarketCurve[]): Promise<boolean> {
  const { rows } = await database.run('test', db =>
    db.execute<{ genesis_address: string; creator_fees: string; raised: string }>(sql`
      SELECT genesis_address, last.* FROM launches CROSS JOIN LATERAL (
        SELECT raised, creator_fees FROM launch_activity WHERE launch_id = launches.id
        ORDER BY time DESC, slot DESC LIMIT 1
      ) AS last`),
  )
  const stored = new Map(rows.map(row => [row.genesis_address, `${row.raised} ${row.creator_fees}`]))
  return curves.every(({ genesisAddress, states }) => {
    const last = states.at(-1) as CurveState
    return stored.get(genesisAddress) === `${last.quote} ${last.fees}`
  })
}

export async function until(
  isSo: () => Promise<boolean>,
  { waitMsMax = WAIT_MS_MAX, pauseMs = 5 } = {},
): Promise<void> {
  const endMs = performance.now() + waitMsMax
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error('the indexer did not catch up with the simulated chain')
    await sleep(pauseMs)
  }
}

/** Ends the session of the node that indexes, as a crash would. */
export const endLease = (database: Database) =>
  database.run('test', db =>
    db.execute(sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'slipway-index'
        AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`),
  )

type Point = LaunchActivity['points'][number]

async function fetchMinutes(url: string, { genesisAddress }: MarketCurve, startMs: number): Promise<Point[]> {
  const points: Point[] = []
  for (let fromMs = startMs; fromMs < startMs + DAY_MS; fromMs += 480 * MINUTE_MS) {
    const range = `from=${new Date(fromMs).toISOString()}&to=${new Date(fromMs + 480 * MINUTE_MS).toISOString()}`
    const response = await fetch(`${url}/v1/launches/${genesisAddress}/activity?interval=minute&${range}`)
    const { data } = (await response.json()) as { data: LaunchActivity }
    points.push(...data.points)
  }
  return points
}

/** The series as a chart would compute it from every state. */
function compare({ name, states }: MarketCurve, served: readonly Point[], startMs: number): string[] {
  const differences: string[] = []
  const expected: string[] = []
  for (let minuteMs = startMs; minuteMs < startMs + DAY_MS; minuteMs += MINUTE_MS) {
    const state = states.findLast(({ atMs }) => atMs < minuteMs + MINUTE_MS)
    if (state) expected.push(print(new Date(minuteMs).toISOString(), figuresOf(state)))
  }
  for (const [at, point] of served.entries()) {
    const { time, raised, sold, price, creatorFees } = point
    const shown = print(time, { raised, sold, price: Number(price), creatorFees: `${creatorFees}` })
    if (shown !== expected[at]) differences.push(`${name}: ${shown} instead of ${expected[at]}`)
  }
  if (served.length !== expected.length)
    differences.push(`${name}: ${served.length} points instead of ${expected.length}`)
  return differences
}

const figuresOf = ({ quote, base, fees }: CurveState) => ({
  raised: `${quote}`,
  sold: `${ALLOCATION - base}`,
  price: Number(VIRTUAL.quote + quote) / Number(VIRTUAL.base + base) / 1_000,
  creatorFees: `${fees}`,
})

const print = (
  time: string,
  { raised, sold, price, creatorFees }: { raised: string; sold: string; price: number; creatorFees: string },
) => `${time} raised ${raised}, sold ${sold}, price ${price.toPrecision(12)}, fees ${creatorFees}`
