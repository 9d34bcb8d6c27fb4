import uPlot from 'uplot'
import { createColours, formatPointed, frameOf, redrawOnChange, tooltip } from '../../../components/plot.ts'
import type { Candle } from './read-candles.ts'

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
export const drawCandles = (element: HTMLElement, drawing: Drawing): (() => void) =>
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
