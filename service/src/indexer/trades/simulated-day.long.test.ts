import type { LaunchActivity } from '@slipway/schema/activity'
import type { CandleInterval, LaunchCandle, LaunchTrade } from '@slipway/schema/market'
import { CANDLE_MINUTES, type LaunchCandles, type LaunchTrades } from '@slipway/schema/market'
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../../store/database.ts'
import { isEndurance } from '../../testing/endurance.ts'
import { readStored } from '../../testing/landed-trades.ts'
import { MINUTE_MS } from '../../testing/launch-rows.ts'
import { DAY_MS, registerCurves, simulateTrades } from '../../testing/simulate-trades.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { startTestService } from '../../testing/test-service.ts'

const STEPS = isEndurance ? 60 : 6
const BURST = isEndurance ? 5_000 : 200

test("a day's trades are the same whether recorded live through faults, read from history, or computed from the chain", async () => {
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
    const urls = [day.node(), backfilling].map(({ url }) => `${url}/v1/launches/${genesisAddress}`)
    const [recorded, backfilled] = (await Promise.all(urls.map(url => readMarket(url, day.startMs)))) as [
      Market,
      Market,
    ]
    expect(recorded, seed).toEqual(backfilled)
    const figures = sumUp(recorded.trades, day.startMs)
    for (const url of urls)
      await expect
        .poll(
          () => {
            // States are read while the chain moves on.
            day.goOn()
            return readFigures(url, day.startMs, figures.length)
          },
          { timeout: 60_000, interval: 400, message: seed },
        )
        .toEqual(figures)
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

type Figures = Pick<LaunchActivity['points'][number], 'time' | 'raised' | 'sold' | 'creatorFees'>

/** Everything that a node serves about the trades of a launch on a day. */
async function readMarket(url: string, dayMs: number): Promise<Market> {
  const trades: LaunchTrade[] = []
  let next: string | null = ''
  while (next !== null) {
    const page: LaunchTrades = await read(`${url}/trades?limit=200${next && `&before=${next}`}`)
    expect(page.complete).toBe(true)
    trades.unshift(...page.trades.toReversed())
    next = page.next
  }
  const candles: Market['candles'] = {}
  for (const interval of Object.keys(CANDLE_MINUTES) as CandleInterval[]) {
    candles[interval] = []
    for (const fromMs of [dayMs, dayMs + DAY_MS / 2]) {
      const [from, to] = [fromMs, fromMs + DAY_MS / 2].map(ms => new Date(ms).toISOString())
      const page = await read<LaunchCandles>(`${url}/candles?interval=${interval}&from=${from}&to=${to}`)
      expect(page.complete).toBe(true)
      candles[interval].push(
        ...page.candles.filter(({ time }) => !candles[interval]?.some(one => one.time === time)),
      )
    }
  }
  return { trades, candles }
}

const read = async <T>(url: string) => ((await (await fetch(url)).json()) as { data: T }).data

/** The figures at the end of the last minutes of the day. */
async function readFigures(url: string, dayMs: number, count: number): Promise<Figures[]> {
  const minutes: Figures[] = []
  for (let fromMs = dayMs; fromMs < dayMs + DAY_MS; fromMs += 480 * MINUTE_MS) {
    const [from, to] = [fromMs, fromMs + 480 * MINUTE_MS].map(ms => new Date(ms).toISOString())
    const { points } = await read<LaunchActivity>(`${url}/activity?interval=minute&from=${from}&to=${to}`)
    minutes.push(
      ...points.map(({ time, raised, sold, creatorFees }) => ({ time, raised, sold, creatorFees })),
    )
  }
  return minutes.slice(-count)
}

/** What the trades of a curve lead to, at the end of each minute since the first. */
function sumUp(trades: readonly LaunchTrade[], dayMs: number): Figures[] {
  const minutes: Figures[] = []
  const left = [...trades]
  let [raised, sold, fees] = [0n, 0n, 0n]
  for (let startMs = dayMs; startMs < dayMs + DAY_MS; startMs += MINUTE_MS) {
    while (left[0] && Date.parse(left[0].time) < startMs + MINUTE_MS) {
      const { kind, baseAmount, quoteAmount, protocolFee, creatorFee } = left.shift() as LaunchTrade
      const [sign, feesPaid] = [kind === 'buy' ? 1n : -1n, BigInt(protocolFee) + BigInt(creatorFee)]
      raised += sign * BigInt(quoteAmount) - feesPaid
      sold += sign * BigInt(baseAmount)
      fees += BigInt(creatorFee)
    }
    if (left.length < trades.length)
      minutes.push({
        time: new Date(startMs).toISOString(),
        raised: `${raised}`,
        sold: `${sold}`,
        creatorFees: `${fees}`,
      })
  }
  return minutes
}

/** Candles as anyone would compute them from the list of trades. */
function foldTrades(trades: readonly LaunchTrade[], minutes: number): LaunchCandle[] {
  const lengthMs = minutes * MINUTE_MS
  const startOf = ({ time }: LaunchTrade) => Math.floor(Date.parse(time) / lengthMs) * lengthMs
  return [...new Set(trades.map(startOf))].map(startMs => {
    const traded = trades.filter(trade => startOf(trade) === startMs)
    const prices = traded.flatMap(({ price }) => price ?? [])
    const byPrice = prices.toSorted((a, b) => Number(a) - Number(b))
    const sum = (name: 'baseAmount' | 'quoteAmount') =>
      `${traded.reduce((total, trade) => total + BigInt(trade[name]), 0n)}`
    return {
      time: new Date(startMs).toISOString(),
      open: prices[0] ?? null,
      high: byPrice.at(-1) ?? null,
      low: byPrice[0] ?? null,
      close: prices.at(-1) ?? null,
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
