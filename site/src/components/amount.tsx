import { formatExactly, formatUnits } from '../lib/format.ts'
import styles from './amount.module.css'

/**
 * An amount in the smallest unit, rounded for reading; the exact one is in the title. Amounts that people add up are
 * shown exactly, and those that a sheet repeats as it says them.
 */
export function Amount({
  units,
  decimals,
  symbol,
  format = formatUnits,
}: {
  units: string
  decimals: number
  symbol?: string
  format?: (units: string, decimals: number) => string
}) {
  if (units === '') return 'unknown'
  const exact = formatExactly(units, decimals)
  return (
    <span className={styles.amount} title={symbol ? `${exact} ${symbol}` : exact}>
      {format(units, decimals)}
      {symbol && (
        <span className={styles.symbol}>
          {' '}
          <bdi>{symbol}</bdi>
        </span>
      )}
    </span>
  )
}
