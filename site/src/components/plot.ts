import 'uplot/dist/uPlot.min.css'
import type uPlot from 'uplot'
import styles from './plot.module.css'

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
