import type { CandleInterval, LaunchCandle, LaunchTrade } from '@slipway/schema/market'
import { CANDLE_MINUTES, type LaunchCandles, type LaunchTrades } from '@slipway/schema/market'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../store/database.ts'
import { isEndurance } from '../../testing/endurance.ts'
import { readStored } from '../../testing/landed-trades.ts'
import { MINUTE_MS } from '../../testing/launch-rows.ts'
import { DAY_MS } from '../../testing/simulate-day.ts'
import { registerCurves, simulateTrades } from '../../testing/simulate-trades.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { startTestService } from '../../testing/test-service.ts'

const STEPS = isEndurance ? 60 : 6
const BURST = isEndurance ? 5_000 : 200

test('trades of a day that were recorded through faults, read from history and read off the chain are the same', async () => {
  const live = await createTestDatabase()
  const day = await simulateTrades({
    database: live.database,
    curves: 2,
    steps: STEPS,
    burst: BURST,
    onEnd: onTestFinished,
    startNode: options => startTestService({ connection: live.connection, ...options }),
  })
  expect(day.left).toEqual([])
  const fresh = await createTestDatabase()
  await registerCurves(fresh.database, day.curves, day.startMs)
  const backfilling = await day.start(options =>
    startTestService({ connection: fresh.connection, ...options }),
  )
  const expected = day.onChain()
  expect(expected.length).toBeGreaterThan(BURST)
  await day.caughtUp(fresh.database)
  const seed = `SEED=${day.seed}`
  for (const { database } of [live, fresh]) {
    expect(await readStored(database), seed).toEqual(expected)
    expect(await findWrongTotals(database), seed).toEqual([])
  }

  let served = 0
  for (const { genesisAddress } of day.curves) {
    const market = await Promise.all(
      [day.node(), backfilling].map(({ url }) =>
        readMarket(`${url}/v1/launches/${genesisAddress}`, day.startMs),
      ),
    )
    const [recorded, read] = market as [Market, Market]
    expect(recorded, seed).toEqual(read)
    served += recorded.trades.length
    for (const [interval, candles] of Object.entries(recorded.candles))
      expect(candles, `${seed} ${interval}`).toEqual(
        foldTrades(recorded.trades, CANDLE_MINUTES[interval as CandleInterval]),
      )
  }
  expect(served, seed).toBe(expected.length)
})

interface Market {
  /** Oldest first. */
  trades: LaunchTrade[]
  candles: Partial<Record<CandleInterval, LaunchCandle[]>>
}

/** Everything that a node serves about the trades of a launch on a day. */
async function readMarket(url: string, dayMs: number): Promise<Market> {
  const get = async <T>(path: string) => ((await (await fetch(`${url}/${path}`)).json()) as { data: T }).data
  const trades: LaunchTrade[] = []
  let next: string | null = ''
  while (next !== null) {
    const page: LaunchTrades = await get(`trades?limit=200${next && `&before=${next}`}`)
    expect(page.complete).toBe(true)
    trades.unshift(...page.trades.toReversed())
    next = page.next
  }
  const candles: Market['candles'] = {}
  for (const interval of Object.keys(CANDLE_MINUTES) as CandleInterval[]) {
    candles[interval] = []
    for (const fromMs of [dayMs, dayMs + DAY_MS / 2]) {
      const [from, to] = [fromMs, fromMs + DAY_MS / 2].map(ms => new Date(ms).toISOString())
      const page = await get<LaunchCandles>(`candles?interval=${interval}&from=${from}&to=${to}`)
      expect(page.complete).toBe(true)
      candles[interval].push(
        ...page.candles.filter(({ time }) => !candles[interval]?.some(one => one.time === time)),
      )
    }
  }
  return { trades, candles }
}

/** Candles as anyone would compute them from the list of trades. */
function foldTrades(trades: readonly LaunchTrade[], minutes: number): LaunchCandle[] {
  const lengthMs = minutes * MINUTE_MS
  const startOf = ({ time }: LaunchTrade) => Math.floor(Date.parse(time) / lengthMs) * lengthMs
  return [...new Set(trades.map(startOf))].map(startMs => {
    const traded = trades.filter(trade => startOf(trade) === startMs)
    const byPrice = traded.map(({ price }) => `${price}`).sort((a, b) => Number(a) - Number(b))
    const sum = (name: 'baseAmount' | 'quoteAmount') =>
      `${traded.reduce((total, trade) => total + BigInt(trade[name]), 0n)}`
    return {
      time: new Date(startMs).toISOString(),
      open: `${traded[0]?.price}`,
      high: `${byPrice.at(-1)}`,
      low: `${byPrice[0]}`,
      close: `${traded.at(-1)?.price}`,
      volumeBase: sum('baseAmount'),
      volumeQuote: sum('quoteAmount'),
      trades: traded.length,
    }
  })
}

/** The wallets whose totals are not those of their trades. */
async function findWrongTotals(database: Database) {
  const { rows } = await database.run('test', db =>
    db.execute(sql`
      SELECT wallet, paid, received FROM trade_totals WHERE paid + received > 0
      EXCEPT SELECT wallet, coalesce(sum(quote_amount) FILTER (WHERE kind = 'buy'), 0),
        coalesce(sum(quote_amount) FILTER (WHERE kind = 'sell'), 0)
      FROM trades GROUP BY launch_id, wallet`),
  )
  return rows
}
