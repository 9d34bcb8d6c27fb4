import { marketTrades } from '@slipway/local-chain/world/market-trades'
import { expect, test } from 'vitest'
import type { Database } from '../../store/database.ts'
import { readTradesProgress } from '../../store/trade-progress.ts'
import { useDemo } from '../../testing/demo.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { startTestIndexer } from '../testing/indexer.ts'
import { registerWorld } from '../testing/naive.ts'
import { listTradesOf, readStored } from '../testing/trades.ts'

const demo = useDemo()
const network = 'chain-mainnet'
const SOL = 1_000_000_000n
const timeout = 60_000
/** Looks often, so that tests need not wait. */
const limits = { tradesPerSecond: 1_000, tradesMs: 100, tradesAliveMs: 200 }

const launchesOf = () => demo.chainOf().world.launches
const expected = () => listTradesOf(demo.chainOf().local.chain, launchesOf())

async function prepare() {
  const { connection, database } = await createTestDatabase()
  await registerWorld(database, network, launchesOf(), new Date())
  const { rpcUrl, wsUrl } = demo.chainOf().local
  return { database, start: () => startTestIndexer({ connection, rpcUrl, wsUrl, limits }) }
}

/** One trade of each kind that the demo's market knows. */
function trade(round: number): number {
  const { local } = demo.chainOf()
  const market = marketTrades(local.chain, 'mainnet')
  let count = 0
  for (const launch of launchesOf()) {
    const isTraded = ['pocket-owl', 'harbour-cat', 'driftwood', 'meadowlark'].includes(launch.entry.slug)
    if (!isTraded) continue
    if (market.tradeInPool(launch, round, SOL, round % 2 === 1)) count += 1
    else if (launch.plan.mechanic === 'bondingCurveV2' && !market.isSoldOut(launch)) {
      market.buyOnCurve(launch, round, SOL)
      market.sellOnCurve(launch, round)
      count += 2
    }
  }
  return count
}

async function isComplete(database: Database) {
  const states = await Promise.all(
    launchesOf().map(({ genesisAddress }) => readTradesProgress(database, network, genesisAddress)),
  )
  return states.every(({ complete }) => complete)
}

test('an index that was running, stopped and started again has the same trades as a fresh one, and as the chain', async () => {
  const running = await prepare()
  const first = running.start()
  await expect.poll(() => readStored(running.database), { timeout }).toEqual(expected())
  expect(trade(1)).toBeGreaterThan(2)
  await expect.poll(() => readStored(running.database), { timeout }).toEqual(expected())
  await first.stop()
  trade(2)
  running.start()
  trade(3)
  const fresh = await prepare()
  fresh.start()
  trade(4)
  for (const { database } of [running, fresh]) {
    await expect.poll(() => readStored(database), { timeout }).toEqual(expected())
    await expect.poll(() => isComplete(database), { timeout }).toBe(true)
  }
})
