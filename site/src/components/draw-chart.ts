import uPlot from 'uplot'
import { createColours, formatPointed, frameOf, redrawOnChange, tooltip } from './plot.ts'
import { valueRange } from './value-range.ts'

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
