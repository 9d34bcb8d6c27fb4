import uPlot from 'uplot'
import { createColours, formatPointed, frameOf, keepDrawn, tooltip } from './plot.ts'

export interface ChartPoint {
  ms: number
  value: number
}

interface Drawing {
  points: readonly ChartPoint[]
  unit: string
  /** Whether a value holds until the next point. */
  isStepped: boolean
  format(value: number): string
}

/** Draws the chart into an element. Returns a function that stops it. */
export const drawChart = (element: HTMLElement, drawing: Drawing): (() => void) =>
  keepDrawn(element, () => new uPlot(optionsFor(element, drawing), toData(drawing.points), element))

const toData = (points: readonly ChartPoint[]): uPlot.AlignedData => [
  points.map(({ ms }) => ms / 1_000),
  points.map(({ value }) => value),
]

function optionsFor(element: HTMLElement, { points, unit, isStepped, format }: Drawing): uPlot.Options {
  const colour = createColours(element)
  const stepped = isStepped ? uPlot.paths.stepped?.({ align: 1 }) : undefined
  const spanS = ((points.at(-1)?.ms ?? 0) - (points[0]?.ms ?? 0)) / 1_000
  return {
    ...frameOf(element, colour, { spanS, format }),
    cursor: { y: false, points: { size: 8, fill: colour('--series') } },
    scales: { y: { range: (_plot, low, high) => rangeOf(low, high) } },
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
    plugins: [
      tooltip(at => {
        const point = points[at]
        return point && `${format(point.value)} ${unit} · ${formatPointed(point.ms)}`
      }),
    ],
  }
}

/** From zero, so that a small change looks small. */
function rangeOf(low: number, high: number): [number, number] {
  const top = high > 0 ? high * 1.08 : 1
  return [Math.min(0, low), top]
}
