import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatTime } from '../lib/format.ts'
import { createPart } from '../lib/load-part.ts'
import { useNow } from '../lib/now.ts'
import styles from './chart.module.css'
import type { ChartMark, ChartPoint } from './plot.ts'
import { valueRange } from './value-range.ts'

const drawing = createPart(() => import('./plot.ts'))

/**
 * One series over time. The server draws the line; the browser adds axes and a cursor. Screen readers get a sentence
 * and a table.
 */
export function Chart({
  points,
  label,
  unit,
  isStepped = false,
  isFromZero = false,
  mark,
  format,
}: {
  points: readonly ChartPoint[]
  /** What is shown, such as `Raised`. */
  label: string
  /** What it is counted in, such as `SOL`. */
  unit: string
  /** Whether a value holds until the next point. */
  isStepped?: boolean
  /** Whether the axis begins at zero, so that a small change looks small. */
  isFromZero?: boolean
  /** Ignored unless it is within the line. */
  mark?: ChartMark | undefined
  format(value: number): string
}) {
  const nowMs = useNow('minute')
  const frame = useRef<HTMLDivElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  const formatNow = useEffectEvent(format)
  const [firstMs = 0, lastMs = 0] = [points[0]?.ms, points.at(-1)?.ms]
  const markMs = mark && mark.ms > firstMs && mark.ms < lastMs ? mark.ms : undefined
  const markName = mark?.name ?? ''

  useEffect(() => {
    const element = frame.current
    if (!element || points.length < 2) return undefined
    let stop: (() => void) | undefined
    let isGone = false
    drawing.load().then(
      ({ drawChart }) => {
        if (isGone) return
        stop = drawChart(element, {
          ...{ points, unit, isStepped, isFromZero },
          mark: markMs === undefined ? undefined : { ms: markMs, name: markName },
          format: value => formatNow(value),
        })
        setDrawn(true)
      },
      // The server's line stays.
      () => {},
    )
    return () => {
      isGone = true
      stop?.()
    }
  }, [points, unit, isStepped, isFromZero, markMs, markName])

  return (
    <figure className={styles.chart}>
      <figcaption className="unseen">
        <Summary points={points} label={`${label} in ${unit}`} format={format} />
        {markMs !== undefined && ` ${markName} ${formatTime(markMs, nowMs, 'UTC')} (UTC).`}
      </figcaption>
      <p className={styles.unit} aria-hidden="true">
        {unit}
      </p>
      <div className={styles.frame} aria-hidden="true">
        {!isDrawn && <Outline {...{ points, isStepped, isFromZero }} />}
        <div ref={frame} className={styles.canvas} />
      </div>
      <Table points={points} label={`${label} in ${unit}`} {...{ format, nowMs }} />
    </figure>
  )
}

type Described = Pick<Parameters<typeof Chart>[0], 'points' | 'label' | 'format'>

function Summary({ points, label, format }: Described) {
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last) return <>{label}: nothing recorded in this period.</>
  return (
    <>
      {label}: from {format(first.value)} to {format(last.value)} over {points.length} points.
    </>
  )
}

/** Screen readers don't need more rows than this to follow a line. */
const ROWS_MAX = 24

function Table({ points, label, format, nowMs }: Described & { nowMs: number }) {
  const step = Math.max(1, Math.ceil(points.length / ROWS_MAX))
  const rows = points.filter((_, at) => at % step === 0 || at === points.length - 1)
  return (
    <table className="unseen">
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">Time (UTC)</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ ms, value }) => (
          <tr key={`${ms} ${value}`}>
            <td>{formatTime(ms, nowMs, 'UTC')}</td>
            <td>{format(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const WIDTH = 720
const HEIGHT = 240

/** The bare line, before the charting library has loaded and where it never does. */
function Outline({
  points,
  isStepped,
  isFromZero,
}: {
  points: readonly ChartPoint[]
  isStepped: boolean
  isFromZero: boolean
}) {
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last || first === last) return null
  const values = points.map(({ value }) => value)
  const [bottom, top] = valueRange(Math.min(...values), Math.max(...values), isFromZero)
  const heightOf = (value: number) => (((top - value) / (top - bottom || 1)) * HEIGHT).toFixed(1)
  const path = points
    .map(({ ms, value }) => {
      const x = (((ms - first.ms) / (last.ms - first.ms)) * WIDTH).toFixed(1)
      const y = heightOf(value)
      return isStepped ? `H${x}V${y}` : `L${x} ${y}`
    })
    .join('')
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={styles.outline}
      aria-hidden="true"
    >
      <path d={`M0 ${heightOf(first.value)}${path}`} />
    </svg>
  )
}
