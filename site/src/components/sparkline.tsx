import styles from './sparkline.module.css'

const WIDTH = 112
const HEIGHT = 28

/**
 * The shape of a series, oldest first; nothing if it never changed. Hidden from screen readers, because a number is
 * beside it.
 */
export function Sparkline({ values }: { values: readonly number[] }) {
  const low = Math.min(...values)
  const high = Math.max(...values)
  if (values.length < 2 || high === low) return <span className={styles.none} />
  const points = values.map((value, at) => {
    const x = (at / (values.length - 1)) * WIDTH
    const y = HEIGHT - 3 - ((value - low) / (high - low)) * (HEIGHT - 6)
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
      <path d={`${line}V${HEIGHT}H0Z`} className={styles.area} />
      <path d={line} />
    </svg>
  )
}
