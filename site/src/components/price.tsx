import { formatPrice, formatPriceExactly } from '../lib/format.ts'
import styles from './amount.module.css'

/** The price of one token. The title has all its digits, and screen readers say them. */
export function Price({ price, symbol }: { price: string | number; symbol: string }) {
  const [short, exact] = [formatPrice(price), formatPriceExactly(price)]
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
    </span>
  )
}
