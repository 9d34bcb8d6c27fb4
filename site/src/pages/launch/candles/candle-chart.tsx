import type { LaunchDetail, Network } from '@slipway/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { Amount } from '../../../components/amount.tsx'
import styles from '../../../components/chart.module.css'
import { Notice } from '../../../components/notice.tsx'
import { formatNumber, formatPrice, formatTime, plural, quoteSymbol } from '../../../lib/format.ts'
import { useNow } from '../../../lib/now.ts'
import type { Period } from '../../../lib/read-series.ts'
import { useSite } from '../../../lib/site-context.ts'
import launchStyles from '../launch.module.css'
import { drawCandles } from './draw-candles.ts'
import { type Candle, type CandleSeries, candlesQuery, joinCandles } from './read-candles.ts'

/** Prices and volumes of the trades. */
export function CandleChart({
  data: { launch, baseToken },
  network,
  period,
  price,
  quoteMint,
}: {
  data: LaunchDetail
  network: Network
  period: Period
  /** What a token costs now; not a number if that is not known. */
  price: number
  quoteMint: string
}) {
  const { slipway } = useSite()
  const { data, isError } = useQuery({
    ...candlesQuery(slipway, network, launch, period),
    placeholderData: keepPreviousData,
  })
  // If trades are missing, the last candle may be from long ago.
  const priceNow = data?.reason === null ? price : Number.NaN
  const poolMs = Date.parse(launch.graduatedAt ?? '')
  const joined = useMemo(() => joinCandles(data?.candles ?? [], priceNow, poolMs), [data, priceNow, poolMs])
  const symbol = quoteSymbol(quoteMint)
  if (!data)
    return (
      <div className={launchStyles.chartSpace}>
        {isError ? (
          <Notice kind="error" level={3} title="Candles are unavailable">
            They could not be loaded. The rest of this page still works.
          </Notice>
        ) : (
          <p role="status">Loading trades…</p>
        )}
      </div>
    )
  if (data.candles.length === 0)
    return (
      <div className={launchStyles.chartSpace}>
        <NoCandles {...data} period={period} />
      </div>
    )
  return (
    <>
      <Candles
        candles={joined}
        intervalMs={data.intervalMs}
        symbol={symbol}
        label={`Price of one ${baseToken.symbol || 'token'} in ${symbol}`}
      />
      <p className={launchStyles.explanation}>
        Volume <Amount units={data.volume} decimals={data.quoteDecimals} symbol={symbol} /> in{' '}
        {plural(data.trades, 'trade')}. In hollow candles the price rose, in filled ones it fell.
        {describeMissing(data)}
      </p>
    </>
  )
}

/** A trade without a price counts, but has no place in a candle. */
function NoCandles({ trades, reason, period }: Pick<CandleSeries, 'trades' | 'reason'> & { period: Period }) {
  const isTraded = trades > 0
  return (
    <Notice level={3} title={isTraded ? 'Candles can’t be drawn' : 'No trades in this period'}>
      {isTraded
        ? `No price is known for the ${plural(trades, 'trade')} in this period.`
        : period === 'all'
          ? 'The first candle appears with the first trade.'
          : 'Choose a longer period, or switch to Price.'}
      {describeMissing({ reason })}
    </Notice>
  )
}

const describeMissing = ({ reason }: Pick<CandleSeries, 'reason'>): string =>
  reason === null ? '' : ` ${reason.replace(/\.$/, '')}.`

function Candles({
  candles,
  intervalMs,
  symbol,
  label,
}: {
  candles: readonly Candle[]
  intervalMs: number
  symbol: string
  label: string
}) {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!frame.current) return undefined
    const drawing = { candles, intervalMs, unit: symbol, formatPrice, formatVolume: formatNumber }
    return drawCandles(frame.current, drawing)
  }, [candles, intervalMs, symbol])
  return (
    <figure className={styles.chart}>
      <p className={styles.unit} aria-hidden="true">
        {symbol}
      </p>
      <div className={styles.frame} aria-hidden="true">
        <div ref={frame} className={styles.canvas} />
      </div>
      <Table candles={candles} label={label} />
    </figure>
  )
}

/** The latest ones. Nobody needs more rows to follow the price. */
const ROWS_MAX = 24

function Table({ candles, label }: { candles: readonly Candle[]; label: string }) {
  const nowMs = useNow('minute')
  return (
    <details className={styles.values}>
      <summary>Show as table</summary>
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            {['Time (UTC)', 'Open', 'High', 'Low', 'Close', 'Volume'].map(name => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {candles.slice(-ROWS_MAX).map(({ ms, open, high, low, close, volume }) => (
            <tr key={ms}>
              <td>{formatTime(ms, nowMs, 'UTC')}</td>
              <td>{formatPrice(open)}</td>
              <td>{formatPrice(high)}</td>
              <td>{formatPrice(low)}</td>
              <td>{formatPrice(close)}</td>
              <td>{formatNumber(volume)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
