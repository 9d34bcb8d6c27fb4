import { formatNumber, formatPrice, formatPriceExactly } from '../lib/format.ts'
import styles from './amount.module.css'

/** The price of one token. The title has all its digits, and screen readers say them. */
export function Price({
  price,
  symbol,
  isExplained = false,
}: {
  price: string | number
  symbol: string
  /** Whether to write the price out as well: not everyone knows that `0.0₇8053` counts zeros. */
  isExplained?: boolean
}) {
  const [short, exact, plain] = [formatPrice(price), formatPriceExactly(price), formatNumber(Number(price))]
  return (
    <span className={styles.amount} title={`${exact} ${symbol}`}>
      {short === exact ? (
        short
      ) : (
        <>
          <span aria-hidden="true">{short}</span>
          <span className="unseen">{exact}</span>
        </>
      )}
      <span className={styles.symbol}> {symbol}</span>
      {isExplained && plain !== short && (
        <span className={styles.plain} aria-hidden="true">
          = {plain}
        </span>
      )}
    </span>
  )
}
