import { formatAmount } from '@slipway/client'
import { formatUnits } from '../lib/format.ts'
import styles from './amount.module.css'

/** An amount in the smallest unit, rounded for reading; the exact one is in the title. */
export function Amount({ units, decimals, symbol }: { units: string; decimals: number; symbol?: string }) {
  const exact = formatAmount(units, decimals)
  return (
    <span className={styles.amount} title={symbol ? `${exact} ${symbol}` : exact}>
      {formatUnits(units, decimals)}
      {symbol && (
        <span className={styles.symbol}>
          {' '}
          <bdi>{symbol}</bdi>
        </span>
      )}
    </span>
  )
}
