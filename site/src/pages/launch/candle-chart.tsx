import type { LaunchDetail, Network } from '@slipway/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import uPlot from 'uplot'
import styles from '../../components/chart.module.css'
import { Amount } from '../../components/figures.tsx'
import { Notice } from '../../components/notice.tsx'
import { createColours, formatPointed, frameOf, redrawOnChange, tooltip } from '../../components/plot.ts'
import { formatNumber, formatPrice, formatTime, plural, quoteSymbol } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'
import type { Period } from '../../lib/read-series.ts'
import { useSite } from '../../lib/site-context.ts'
import launchStyles from './launch.module.css'
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
    <details className={`fold ${styles.values}`}>
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

interface Drawing {
  candles: readonly Candle[]
  intervalMs: number
  unit: string
  formatPrice(price: number): string
  formatVolume(volume: number): string
}

/** A few candles stay narrow. */
const INTERVALS_MIN = 16
const WIDTH_MAX = 14
/** The part of the height that is below the candles, for the volume. */
const VOLUME_SHARE = 0.18
const PADDING = 0.08

/** Draws candles, with the volume below them. Returns how to stop. */
const drawCandles = (element: HTMLElement, drawing: Drawing): (() => void) =>
  redrawOnChange(element, () => new uPlot(optionsFor(element, drawing), toData(drawing), element))

/** A candle stands in the middle of its interval. */
const middleOf = ({ ms }: Candle, intervalMs: number) => (ms + intervalMs / 2) / 1_000

const toData = ({ candles, intervalMs }: Drawing): uPlot.AlignedData => [
  candles.map(candle => middleOf(candle, intervalMs)),
  candles.map(({ low }) => low),
  candles.map(({ high }) => high),
]

function optionsFor(element: HTMLElement, drawing: Drawing): uPlot.Options {
  const { candles, intervalMs, unit, formatPrice, formatVolume } = drawing
  const colour = createColours(element)
  const lengthS = intervalMs / 1_000
  // Only their values count, for the range of the axis.
  const unseen: uPlot.Series = { paths: () => null, points: { show: false } }
  return {
    ...frameOf(element, colour, formatPrice),
    cursor: { y: false, points: { show: false } },
    scales: {
      x: {
        range: (_plot, first, end) => {
          // For a single candle, the library suggests a whole day.
          const last = candles.length === 1 ? first : end
          return [Math.min(first - lengthS, last - INTERVALS_MIN * lengthS), last + lengthS]
        },
      },
      y: { range: (_plot, low, high) => rangeOf(low, high) },
    },
    series: [{}, unseen, unseen],
    hooks: { draw: [plot => paint(plot, drawing, colour)] },
    plugins: [
      tooltip(at => {
        const candle = candles[at]
        if (!candle) return undefined
        const { open, high, low, close, volume, ms } = candle
        const prices = `${formatPrice(open)} → ${formatPrice(close)}, low ${formatPrice(low)}, high ${formatPrice(high)}`
        return `${prices}\nVolume ${formatVolume(volume)} ${unit} · ${formatPointed(ms)}`
      }),
    ],
  }
}

/** Leaves room for the volume. */
function rangeOf(low: number, high: number): [number, number] {
  const size = high - low || high || 1
  const padding = size * PADDING
  return [Math.max(0, low - padding - size * VOLUME_SHARE * 1.5), high + padding]
}

/** Hollow if the price rose and filled if it fell, so that it can be read without telling colours apart. */
function paint(
  plot: uPlot,
  { candles, intervalMs }: Drawing,
  colour: ReturnType<typeof createColours>,
): void {
  const { ctx, bbox } = plot
  const scale = devicePixelRatio
  const xOf = (seconds: number) => plot.valToPos(seconds, 'x', true)
  const yOf = (price: number) => Math.round(plot.valToPos(price, 'y', true))
  const step = xOf(intervalMs / 1_000) - xOf(0)
  const width = Math.max(scale, Math.min(WIDTH_MAX * scale, step * 0.7))
  const volumeMax = Math.max(...candles.map(({ volume }) => volume)) || 1
  const bottom = bbox.top + bbox.height
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.lineWidth = 1.5 * scale
  ctx.strokeStyle = colour('--series')
  const [volumeColour, risen, fallen] = [colour('--track'), colour('--surface'), colour('--series')]
  for (const candle of candles) {
    const { open, close, high, low, volume } = candle
    const x = xOf(middleOf(candle, intervalMs))
    const left = x - width / 2
    const height = (volume / volumeMax) * bbox.height * VOLUME_SHARE
    ctx.fillStyle = volumeColour
    ctx.fillRect(left, bottom - height, width, height)
    ctx.beginPath()
    ctx.moveTo(x, yOf(high))
    ctx.lineTo(x, yOf(low))
    ctx.stroke()
    const [top, end] = [yOf(Math.max(open, close)), yOf(Math.min(open, close))]
    ctx.fillStyle = close >= open ? risen : fallen
    ctx.beginPath()
    ctx.rect(left, top, width, Math.max(scale, end - top))
    ctx.fill()
    ctx.stroke()
  }
  ctx.restore()
}
