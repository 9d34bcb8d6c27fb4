import styles from './sparkline.module.css'

const WIDTH = 112
const HEIGHT = 28

/** A change below this share of the value doesn't fill the height. It would look like a leap. */
const LEAST_SPAN = 0.02

/** The shape of a series, oldest first. Hidden from screen readers, because a number is beside it. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const low = Math.min(...values)
  const high = Math.max(...values)
  if (values.length < 2) return <span className={styles.none} />
  const span = Math.max(high - low, high * LEAST_SPAN) || 1
  const middle = (high + low) / 2
  const points = values.map((value, at) => {
    const x = (at / (values.length - 1)) * WIDTH
    const y = HEIGHT / 2 - ((value - middle) / span) * (HEIGHT - 6)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  const line = `M${points.join('L')}`
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={styles.line}
      aria-hidden="true"
    >
      {high > low && <path d={`${line}V${HEIGHT}H0Z`} className={styles.area} />}
      <path d={line} />
    </svg>
  )
}
