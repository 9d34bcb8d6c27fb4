import { Amount } from '../../../components/amount.tsx'
import { Facts } from '../../../components/facts.tsx'
import { Price } from '../../../components/price.tsx'
import type { FittedQuote } from '../../../lib/fit-answers.ts'
import { formatSaid, formatShare } from '../../../lib/format.ts'
import { HIGH_IMPACT_BPS } from '../../../lib/price-impact.ts'
import { describeTradeFee } from './describe-fee.ts'
import styles from './take-part.module.css'
import { symbolsOf, type Taking } from './taking.ts'

/** What a trade gives, what it costs, and what can go wrong. */
export function TradeSummary({
  taking,
  quote,
  isStale,
}: {
  taking: Taking
  quote: FittedQuote
  /** Whether it is about an earlier amount. */
  isStale: boolean
}) {
  const symbols = symbolsOf(taking)
  const { quoteDecimals, baseDecimals } = taking.tokens
  const isBuy = quote.side === 'buy'
  const received = isBuy
    ? { decimals: baseDecimals, symbol: symbols.base }
    : { decimals: quoteDecimals, symbol: symbols.quote }
  const impact = quote.priceImpactBps
  const fee = describeTradeFee(taking, quote)
  const isFree = [quote.fees.protocol, quote.fees.creator, quote.fees.pool].every(units => units === '0')
  const isHigh = impact !== null && impact >= HIGH_IMPACT_BPS
  return (
    <div className={styles.summary} data-stale={isStale ? 'yes' : undefined}>
      <p className={styles.gets} role="status">
        <span>You get about</span> <Amount units={quote.amountOut} {...received} format={formatSaid} />
      </p>
      {quote.partial && (
        <p className={styles.note}>
          Only this much is left. You pay{' '}
          <Amount
            units={quote.amountIn}
            decimals={isBuy ? quoteDecimals : baseDecimals}
            symbol={isBuy ? symbols.quote : symbols.base}
          />
          .
        </p>
      )}
      <Facts
        facts={[
          [
            'At least',
            // Never rounded up.
            <Amount key="least" units={quote.minAmountOut} {...received} format={formatSaid} />,
          ],
          ['Your price, with fees', <OwnPrice key="price" {...{ quote, taking }} />],
          [
            'Price impact',
            <span key="impact" className={isHigh ? styles.high : undefined}>
              {impact === null ? 'unknown' : `${formatShare(impact / 10_000)}${isHigh ? ', high' : ''}`}
            </span>,
          ],
          [fee?.label ?? 'Fee', fee ? <bdi key="fee">{fee.amount}</bdi> : !isFree && 'unknown'],
        ]}
      />
      <p className={styles.small}>
        If the price moves and you would get less than this minimum, nothing is traded and you pay only the
        network fee.{isBuy && ' A purchase also costs rent if you need a new token account.'}
      </p>
    </div>
  )
}

/** What is paid for one token, or got for it. */
function OwnPrice({ quote, taking }: { quote: FittedQuote; taking: Taking }) {
  const { side, amountIn, amountOut } = quote
  const { quoteDecimals, baseDecimals } = taking.tokens
  const [money, tokens] = side === 'buy' ? [amountIn, amountOut] : [amountOut, amountIn]
  const price = Number(money) / 10 ** quoteDecimals / (Number(tokens) / 10 ** baseDecimals)
  return price > 0 && Number.isFinite(price) ? (
    <Price price={price} symbol={symbolsOf(taking).quote} />
  ) : (
    'unknown'
  )
}
