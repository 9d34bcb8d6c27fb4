import { networkName } from '../../lib/format.ts'
import styles from './sample-charts.module.css'
import type { Sample } from './use-samples.ts'

interface Series {
  title: string
  unit: string
  /** Undefined where there was no answer. */
  values: (number | undefined)[]
  format(value: number): string
}

/** The page's own measurements since it was opened. Nothing until there is one. */
export function SampleCharts({ samples }: { samples: readonly Sample[] }) {
  if (samples.length === 0) return null
  return (
    <section aria-labelledby="samples" className={styles.samples}>
      <h2 id="samples">Since you opened this page</h2>
      <ul className={styles.charts}>
        {listSeries(samples).map(series => (
          <li key={series.title} className={styles.chart}>
            <SmallChart series={series} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const formatMs = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))
const formatSlots = (value: number) => `${Math.round(value)}`

function listSeries(samples: readonly Sample[]): Series[] {
  const keys = [...new Set(samples.flatMap(({ parts }) => parts.map(({ key }) => key)))]
  const valuesOf = (key: string, field: 'ms' | 'slotsBehind') =>
    samples.map(({ parts }) => parts.find(part => part.key === key)?.[field])
  const of = (kind: string) => keys.filter(key => key.split(' ')[0] === kind)
  const networkOf = (key: string) => networkName(key.split(' ')[1] ?? key)
  return [
    {
      title: 'Answer to your browser',
      unit: 'ms',
      values: samples.map(({ responseMs }) => responseMs),
      format: formatMs,
    },
    ...of('store').map(key => ({
      title: 'Database',
      unit: 'ms',
      values: valuesOf(key, 'ms'),
      format: formatMs,
    })),
    ...of('rpc').map(key => ({
      title: `Chain, ${networkOf(key)}`,
      unit: 'ms',
      values: valuesOf(key, 'ms'),
      format: formatMs,
    })),
    ...of('indexer').map(key => ({
      title: `Index, ${networkOf(key)}`,
      unit: 'slots behind',
      values: valuesOf(key, 'slotsBehind'),
      format: formatSlots,
    })),
  ]
}

function SmallChart({ series: { title, unit, values, format } }: { series: Series }) {
  const known = values.filter(value => value !== undefined)
  const last = values.at(-1)
  const high = known.length > 0 ? Math.max(...known) : undefined
  return (
    <figure>
      <figcaption>
        <span className={styles.title}>{title}</span>
        <span className={styles.value}>
          {last === undefined ? (
            <span className="soft large">No answer</span>
          ) : (
            <>
              {format(last)} <span className={styles.unit}>{unit}</span>
            </>
          )}
        </span>
        <span className="small faint steady">
          {high === undefined || known.length < 2 ? ' ' : `highest ${format(high)}`}
        </span>
      </figcaption>
      <Line values={values} />
    </figure>
  )
}

const WIDTH = 240
const HEIGHT = 48
/** The line grows from the left until it fills the chart. */
const POINTS_MIN = 20

/** From zero, with gaps where there was no answer. One value alone is a dot. */
function Line({ values }: { values: readonly (number | undefined)[] }) {
  const high = Math.max(1, ...values.map(value => value ?? 0)) * 1.1
  const step = WIDTH / (Math.max(POINTS_MIN, values.length) - 1)
  const points = values.map((value, at) =>
    value === undefined
      ? undefined
      : { x: (at * step).toFixed(1), y: (HEIGHT - 1 - (value / high) * (HEIGHT - 4)).toFixed(1) },
  )
  const path = points
    .map((point, at) => (point ? `${at > 0 && points[at - 1] ? 'L' : 'M'}${point.x} ${point.y}h0` : ''))
    .join('')
  const lost = points.flatMap((point, at) => (point ? [] : [(at * step).toFixed(1)]))
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={styles.line}
      aria-hidden="true"
    >
      <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className={styles.base} />
      {lost.map(x => (
        <path key={x} d={`M${x} 4V${HEIGHT}`} className={styles.lost} />
      ))}
      {path && <path d={path} />}
    </svg>
  )
}
