import { setTimeout as sleep } from 'node:timers/promises'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { parseTransaction } from '@slipway/local-chain/ledger/parse-transaction'
import { makeLaunch } from '@slipway/local-chain/testing/made-launch'
import { marketTrades } from '@slipway/local-chain/world/market-trades'
import type { WorldLaunch } from '@slipway/local-chain/world/world-launch'
import { sql } from 'drizzle-orm'
import type { Config } from '../config.ts'
import type { IndexerLimits } from '../indexer/limits.ts'
import { startFaultyNode } from '../indexer/testing/faulty-node.ts'
import { seededRandom } from '../indexer/testing/random.ts'
import type { Database } from '../store/database.ts'
import { insertLaunches } from '../store/launches.ts'
import { readTradesProgress } from '../store/trade-progress.ts'
import { type ForkingChain, SLOT_MS, startForkingChain } from './forking-chain.ts'
import { listTradesOf, readStored } from './landed-trades.ts'
import { launchRows } from './launch-rows.ts'

/** A node of the service that indexes the simulated chain. */
interface SimulatedNode {
  url: string
  stop(): Promise<unknown>
}

type StartNode = (options: {
  config: Partial<Config>
  limits: { indexer: Partial<IndexerLimits> }
}) => Promise<SimulatedNode>

type TradedCurve = Pick<WorldLaunch, 'genesisAddress' | 'mint' | 'addresses'>

interface TradingDayOptions {
  database: Database
  curves: number
  /** How often the market trades, besides the burst. */
  steps: number
  /** How many trades happen at once. */
  burst: number
  startNode: StartNode
  onEnd(stop: () => Promise<void>): void
}

export const DAY_MS = 86_400_000
const TRADERS = 6
/** How many steps of the market happen during a fault. */
const FAULT_STEPS = 3
/** A block of a busy chain has about this many trades of one launch. */
const TRADES_PER_SLOT = 40
/** By then, nodes take a transaction for dropped that the chain does not have. */
const SLOTS_TO_FINALITY = 120
const PATIENCE = { waitMsMax: 300_000, pauseMs: 50 }

const LIMITS: Partial<IndexerLimits> = {
  graceMs: 100,
  tickMs: 100,
  pollMs: 200,
  sweepMs: 200,
  follow: { reconnectMsMin: 20, reconnectMsMax: 100 },
  tradesPerSecond: 2_000,
  tradesMs: 100,
  tradesAliveMs: 500,
}

/** Puts curves into a store, as registered at this time. */
export const registerCurves = (database: Database, curves: readonly TradedCurve[], startMs: number) =>
  insertLaunches(
    database,
    curves.map(({ mint, genesisAddress }, at) =>
      launchRows(`curve ${at}`, {
        mint,
        genesisAddress,
        mechanic: 'bondingCurveV2',
        registeredAt: new Date(startMs),
      }),
    ),
  )

/**
 * Trades on the curves of an embedded chain for a day of its time, while nodes of the service follow through every
 * fault that may cost them a trade. Returns when the last one has caught up.
 */
export async function simulateTrades(options: TradingDayOptions) {
  const { database, steps, burst, startNode, onEnd } = options
  const { seed, of } = seededRandom()
  const random = of('trades')
  const startMs = Math.floor(Date.now() / DAY_MS - 1) * DAY_MS
  const forking = await startForkingChain(startMs)
  onEnd(forking.close)
  const curves = Array.from({ length: options.curves }, () => createCurve(forking))
  await registerCurves(database, curves, startMs)
  const endpoint = await startFaultyNode({ ...forking, random: of('faults') })
  const start = (startOne = startNode) =>
    startOne({
      config: {
        indexer: true,
        rpcUrls: { 'chain-mainnet': [endpoint.rpcUrl], 'chain-devnet': [] },
        rpcWsUrls: { 'chain-mainnet': endpoint.wsUrl, 'chain-devnet': undefined },
      },
      limits: { indexer: LIMITS },
    })

  function trade(curve: TradedCurve) {
    const market = marketTrades(forking.chain(), 'mainnet')
    const trader = Math.floor(random() * TRADERS)
    if (random() < 0.4 && market.sellOnCurve(curve, trader)) return
    market.buyOnCurve(curve, trader, BigInt(1_000 + Math.floor(random() * 1e8)))
  }
  function step() {
    const stepMs = DAY_MS / (steps + 8 * FAULT_STEPS)
    forking.moveTo(forking.nowMs() + SLOT_MS + Math.floor(random() * stepMs))
    for (const curve of curves) for (let left = random() * 3; left > 1; left -= 1) trade(curve)
  }
  const tradeAll = () => {
    for (const curve of curves) trade(curve)
  }
  const stepOften = () => {
    for (let at = 0; at < FAULT_STEPS; at += 1) step()
  }
  const onChain = () => listTradesOf(forking.chain(), curves)
  const caughtUp = async (store = database) => {
    const expected = onChain().join()
    await until(async () => (await readStored(store)).join() === expected)
    await untilReason(null, store)
  }
  const untilReason = (reason: string | null, store = database) =>
    until(async () => {
      const states = await Promise.all(
        curves.map(curve => readTradesProgress(store, 'chain-mainnet', curve.genesisAddress)),
      )
      return states.every(state => state.reason === reason)
    })

  let node: SimulatedNode = await start()
  await caughtUp()
  const faults: Record<string, () => Promise<unknown>> = {
    async 'a lost subscription'() {
      endpoint.refuse(true)
      stepOften()
      endpoint.refuse(false)
    },
    async 'a restart'() {
      await node.stop()
      stepOften()
      node = await start()
    },
    async 'a takeover'() {
      const leader = node
      node = await start()
      stepOften()
      await endLease(database)
      stepOften()
      await leader.stop()
    },
    async 'a fork'() {
      step()
      await caughtUp()
      forking.fork()
      tradeAll()
      tradeAll()
      await caughtUp()
      const chain = forking.chain()
      const moved = curves.flatMap(
        ({ genesisAddress }) => [...chain.history.ofAddress(genesisAddress)][1] ?? [],
      )
      await forking.dropFork()
      forking.moveTo(forking.nowMs() + 3 * SLOT_MS)
      // The fork that counts has some of the same transactions, in another slot.
      for (const { wire } of moved.reverse()) forking.chain().submit(parseTransaction(wire))
      forking.moveTo(forking.nowMs() + SLOTS_TO_FINALITY * SLOT_MS)
      tradeAll()
    },
    async 'an endpoint that drops history'() {
      await node.stop()
      stepOften()
      tradeAll()
      const lost = onChain()
      forking.moveTo(forking.nowMs() + SLOT_MS)
      endpoint.keepFrom(forking.chain().clock.slot())
      tradeAll()
      node = await start()
      await untilReason('The RPC endpoints do not return all transactions of this launch.')
      const stored = await readStored(database)
      if (lost.every(line => stored.includes(line))) throw new Error('the endpoint has dropped nothing')
      endpoint.keepFrom(0)
    },
    async 'a burst'() {
      forking.moveTo(forking.nowMs() + SLOT_MS)
      for (let at = 0; at < burst; at += 1) {
        trade(curves[at % curves.length] as TradedCurve)
        if (at % TRADES_PER_SLOT === 0) {
          forking.moveTo(forking.nowMs() + SLOT_MS)
          // Nodes of this process read meanwhile.
          await new Promise(resolve => setImmediate(resolve))
        }
      }
    },
  }
  const due = Object.entries(faults)
  const every = Math.max(1, Math.floor(steps / due.length))
  for (let at = 0; at < steps; at += 1) {
    step()
    const [name, fault] = (at % every === every - 1 && due.shift()) || []
    await fault?.()
    await caughtUp().catch(error => {
      throw new Error(`SEED=${seed}: after ${name ?? 'a step'}, ${error.message}`, { cause: error })
    })
  }
  return {
    seed,
    startMs,
    curves,
    node: () => node,
    /** The chain has another slot. */
    goOn: () => forking.moveTo(forking.nowMs() + SLOT_MS),
    start,
    onChain,
    caughtUp,
    left: due.map(([name]) => name),
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + PATIENCE.waitMsMax
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error('the indexer did not catch up with the simulated chain')
    await sleep(PATIENCE.pauseMs)
  }
}

/** Ends the session of the node that indexes, as a crash would. */
const endLease = (database: Database) =>
  database.run('test', db =>
    db.execute(sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'slipway-index'
        AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted)`),
  )

/** A curve that nobody has bought from yet. */
function createCurve(forking: ForkingChain): TradedCurve {
  const { addresses, mint } = makeLaunch(forking.chain(), {
    mechanic: 'bondingCurveV2',
    creatorWallet: WRAPPED_NATIVE_MINT,
    amm: { accrued: 0n, claimed: 0n },
  })
  return { genesisAddress: addresses.genesis, mint, addresses }
}
