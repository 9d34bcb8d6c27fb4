import type { LaunchCandles, LaunchCandlesRequest, LaunchDetail, Network, Slipway } from '@slipway/client'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../lib/query-keys.ts'
import { PERIOD_MS, type Period } from '../../lib/read-series.ts'

type Interval = NonNullable<LaunchCandlesRequest['interval']>

/** From the shortest to the longest. */
const INTERVAL_MS: Record<Interval, number> = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
}

/** As many as can be told apart. */
const CANDLES_MAX = 120
/** Fewer say little, so they are read again for shorter intervals. */
const CANDLES_MIN = 8

export interface Candle {
  ms: number
  open: number
  high: number
  low: number
  close: number
  /** In whole quote tokens. */
  volume: number
}

export interface CandleSeries {
  candles: Candle[]
  intervalMs: number
  /** In the smallest unit of the quote token. */
  volume: string
  quoteDecimals: number
  trades: number
  /** Why trades are missing. */
  reason: string | null
}

const POLL_MS = 30_000

/** What was traded in a period, ending now. */
export const candlesQuery = (
  slipway: Slipway,
  network: Network,
  { genesisAddress, startTime }: LaunchDetail['launch'],
  period: Period,
) =>
  queryOptions({
    queryKey: queryKeys.candles(network, genesisAddress, period),
    queryFn: ({ signal }) =>
      readCandles(
        (interval, fromMs) =>
          slipway.launches.candles(genesisAddress, { network, interval, from: new Date(fromMs) }, { signal }),
        { period, startMs: Date.parse(startTime), nowMs: Date.now() },
      ),
    refetchInterval: POLL_MS,
  })

/** Reads the candles of a period at the interval that suits how long the launch has traded. */
async function readCandles(
  read: (interval: Interval, fromMs: number) => Promise<LaunchCandles>,
  { period, startMs, nowMs }: { period: Period; startMs: number; nowMs: number },
): Promise<CandleSeries> {
  const fromMs = period === 'all' ? startMs : Math.max(startMs, nowMs - PERIOD_MS[period])
  const interval = chooseInterval(nowMs - fromMs)
  const series = toSeries(await read(interval, fromMs), interval)
  const [first] = series.candles
  if (!first || series.candles.length >= CANDLES_MIN) return series
  const finer = chooseInterval(nowMs - first.ms)
  return finer === interval ? series : toSeries(await read(finer, first.ms), finer)
}

function chooseInterval(spanMs: number): Interval {
  const intervals = Object.keys(INTERVAL_MS) as Interval[]
  return intervals.find(interval => spanMs / INTERVAL_MS[interval] <= CANDLES_MAX) ?? '1d'
}

/**
 * Candles that begin where the one before ended, and end at the price now. A trade has one price, its average, so
 * its candle alone would be a flat line. The first candle after the pool opened begins by itself: the sale's last price
 * is an average too, and can be far from the pool's.
 */
export function joinCandles(
  candles: readonly Candle[],
  priceNow: number,
  /** When the pool opened, if it has. */
  poolMs = Number.NaN,
): Candle[] {
  let last: number | undefined
  return candles.map((candle, at) => {
    const isLast = at === candles.length - 1
    const close = isLast && Number.isFinite(priceNow) ? priceNow : candle.close
    const before = candles[at - 1]
    const isPoolsFirst = before && before.ms <= poolMs && candle.ms > poolMs
    const open = isPoolsFirst ? candle.open : (last ?? candle.open)
    last = close
    const [low, high] = [Math.min(candle.low, open, close), Math.max(candle.high, open, close)]
    return { ...candle, open, close, low, high }
  })
}

/** Without candles that have no price, which can't be drawn. Their volume counts. */
function toSeries(
  { candles, quoteDecimals, complete, reason }: LaunchCandles,
  interval: Interval,
): CandleSeries {
  const decimals = quoteDecimals ?? 0
  return {
    candles: candles.flatMap(({ time, open, high, low, close, volumeQuote }) => {
      if (open === null || high === null || low === null || close === null) return []
      const prices = { open: Number(open), high: Number(high), low: Number(low), close: Number(close) }
      return { ms: Date.parse(time), ...prices, volume: Number(volumeQuote) / 10 ** decimals }
    }),
    intervalMs: INTERVAL_MS[interval],
    volume: `${candles.reduce((sum, { volumeQuote }) => sum + BigInt(volumeQuote), 0n)}`,
    quoteDecimals: decimals,
    trades: candles.reduce((sum, { trades }) => sum + trades, 0),
    reason: complete ? null : (reason ?? 'Some trades are missing'),
  }
}
