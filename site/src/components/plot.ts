import 'uplot/dist/uPlot.min.css'
import uPlot from 'uplot'
import styles from './plot.module.css'
import { valueRange } from './value-range.ts'

const HOUR_S = 3_600
const DAY_S = 86_400
/** Labels show minutes, so marks are never closer. */
const TIME_STEPS = [
  ...[60, 120, 300, 600, 900, 1_800],
  ...[1, 2, 3, 6, 12].map(hours => hours * HOUR_S),
  ...[1, 2, 7, 14, 30, 90, 365].map(days => days * DAY_S),
]
const AXIS_GAP = 10

/** Keeps a plot in step with the element's size and the theme. Returns a function that stops it. */
export function redrawOnChange(element: HTMLElement, create: () => uPlot): () => void {
  let plot: uPlot | undefined

  function draw() {
    plot?.destroy()
    plot = create()
  }

  const dark = matchMedia('(prefers-color-scheme: dark)')
  const observer = new ResizeObserver(() => plot?.setSize(sizeOf(element)))
  draw()
  observer.observe(element)
  dark.addEventListener('change', draw)
  window.addEventListener('themechange', draw)
  return () => {
    observer.disconnect()
    dark.removeEventListener('change', draw)
    window.removeEventListener('themechange', draw)
    plot?.destroy()
  }
}

const sizeOf = (element: HTMLElement) => ({ width: element.clientWidth, height: element.clientHeight })

/** The size of a plot, and its axes. */
export function frameOf(
  element: HTMLElement,
  colour: ReturnType<typeof createColours>,
  format: (value: number) => string,
): Pick<uPlot.Options, 'width' | 'height' | 'padding' | 'legend' | 'axes'> {
  const font = `12px ${getComputedStyle(element).fontFamily}`
  const axis = { stroke: colour('--ink-3'), font, ticks: { show: false }, border: { show: false } }
  return {
    ...sizeOf(element),
    padding: [8, 20, 0, 0],
    legend: { show: false },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 32,
        gap: 8,
        space: 64,
        incrs: TIME_STEPS,
        values: (_plot, ticks, _axis, _space, stepS) => ticks.map(tick => formatTick(tick, stepS)),
      },
      {
        ...axis,
        grid: { stroke: colour('--line'), width: 1 },
        size: (plot, labels) => AXIS_GAP + widthOf(plot.ctx, font, labels ?? []),
        gap: AXIS_GAP,
        space: 36,
        values: (_plot, ticks) => ticks.map(tick => format(Number(tick.toPrecision(12)))),
      },
    ],
  }
}

/** The widest label, in the pixels of the page: the canvas may have more of them. */
function widthOf(context: CanvasRenderingContext2D, font: string, labels: readonly string[]): number {
  context.save()
  context.font = font
  const width = Math.max(0, ...labels.map(label => context.measureText(label).width))
  context.restore()
  return Math.ceil(width)
}

/** Canvas needs resolved colours: what a variable means depends on the theme. */
export function createColours(element: HTMLElement) {
  const probe = document.createElement('span')
  return (name: string) => {
    element.append(probe)
    probe.style.color = `var(${name})`
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }
}

/** The date at midnight, otherwise the time. */
function formatTick(seconds: number, stepS: number): string {
  const at = new Date(seconds * 1_000)
  const isDay = stepS >= DAY_S || (at.getHours() === 0 && at.getMinutes() === 0)
  const options: Intl.DateTimeFormatOptions = isDay
    ? { day: 'numeric', month: 'short' }
    : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }
  return new Intl.DateTimeFormat('en-GB', options).format(at)
}

const POINTED: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
}

export const formatPointed = (ms: number): string => new Intl.DateTimeFormat('en-GB', POINTED).format(ms)

/** Says what is under the cursor, by its place in the data. */
export function tooltip(describe: (at: number) => string | undefined): uPlot.Plugin {
  const box = document.createElement('div')
  box.className = styles.tooltip ?? ''
  return {
    hooks: {
      init: plot => void plot.over.append(box),
      setCursor(plot) {
        const { idx, left = -1 } = plot.cursor
        const text = left < 0 || idx == null ? undefined : describe(idx)
        box.hidden = text === undefined
        if (text === undefined) return
        box.textContent = text
        const { width } = plot.over.getBoundingClientRect()
        box.style.left = `${Math.min(Math.max(left, box.offsetWidth / 2), width - box.offsetWidth / 2)}px`
      },
    },
  }
}

export interface ChartPoint {
  ms: number
  value: number
}

/** The time axis has no labels for a shorter span. */
const SECONDS_MIN = 180

interface Drawing {
  points: readonly ChartPoint[]
  unit: string
  /** Whether a value holds until the next point. */
  isStepped: boolean
  /** Whether the axis begins at zero, so that a small change looks small. */
  isFromZero: boolean
  mark: ChartMark | undefined
  format(value: number): string
}

/** A moment with a name. */
export interface ChartMark {
  ms: number
  name: string
}

/** Draws the chart into an element. Returns a function that stops it. */
export const drawChart = (element: HTMLElement, drawing: Drawing): (() => void) =>
  redrawOnChange(element, () => new uPlot(optionsFor(element, drawing), toData(drawing.points), element))

const toData = (points: readonly ChartPoint[]): uPlot.AlignedData => [
  points.map(({ ms }) => ms / 1_000),
  points.map(({ value }) => value),
]

function optionsFor(
  element: HTMLElement,
  { points, unit, isStepped, isFromZero, mark, format }: Drawing,
): uPlot.Options {
  const colour = createColours(element)
  const stepped = isStepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined
  return {
    ...frameOf(element, colour, format),
    cursor: { y: false, points: { size: 8, fill: colour('--series') } },
    scales: {
      x: { range: (_plot, first, last) => [Math.min(first, last - SECONDS_MIN), last] },
      y: { range: (_plot, low, high) => valueRange(low, high, isFromZero) },
    },
    series: [
      {},
      {
        stroke: colour('--series'),
        width: 2,
        ...(stepped && { paths: stepped }),
        fill: colour('--series-fill'),
        points: { show: points.length < 3 },
      },
    ],
    hooks: { draw: [plot => mark && drawMark(plot, mark, colour)] },
    plugins: [
      tooltip(at => {
        const point = points[at]
        return point && `${format(point.value)} ${unit} · ${formatPointed(point.ms)}`
      }),
    ],
  }
}

/** A dashed line, with its name on the side that has more room. */
function drawMark(
  { ctx, bbox, valToPos }: uPlot,
  { ms, name }: ChartMark,
  colour: ReturnType<typeof createColours>,
): void {
  const x = Math.round(valToPos(ms / 1_000, 'x', true))
  const gap = 6 * devicePixelRatio
  const isRight = x > bbox.left + bbox.width / 2
  ctx.save()
  ctx.strokeStyle = ctx.fillStyle = colour('--ink-3')
  ctx.lineWidth = devicePixelRatio
  ctx.setLineDash([gap / 2, gap / 2])
  ctx.beginPath()
  ctx.moveTo(x, bbox.top)
  ctx.lineTo(x, bbox.top + bbox.height)
  ctx.stroke()
  ctx.textAlign = isRight ? 'right' : 'left'
  ctx.textBaseline = 'top'
  ctx.fillText(name, isRight ? x - gap : x + gap, bbox.top)
  ctx.restore()
}
