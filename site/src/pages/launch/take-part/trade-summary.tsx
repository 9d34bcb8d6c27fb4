import { Amount } from '../../../components/amount.tsx'
import { Facts } from '../../../components/facts.tsx'
import { Price } from '../../../components/price.tsx'
import type { FittedQuote } from '../../../lib/fit-answers.ts'
import { formatExactly, formatSaid, formatShare } from '../../../lib/format.ts'
import { HIGH_IMPACT_BPS } from '../../../lib/price-impact.ts'
import { findCreatorFeeSide } from './creator-fee.ts'
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
  const isHigh = impact !== null && impact >= HIGH_IMPACT_BPS
  return (
    <div className={styles.summary} data-stale={isStale ? 'yes' : undefined}>
      <p className={styles.gets} role="status">
        <span>You get about</span> <Amount units={quote.amountOut} {...received} />
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
            <span
              key="least"
              title={`${formatExactly(quote.minAmountOut, received.decimals)} ${received.symbol}`}
            >
              {formatSaid(quote.minAmountOut, received.decimals)} <bdi>{received.symbol}</bdi>
            </span>,
          ],
          ['Your price, with fees', <OwnPrice key="price" {...{ quote, taking }} />],
          [
            'Price impact',
            <span key="impact" className={isHigh ? styles.high : undefined}>
              {impact === null ? 'unknown' : `${formatShare(impact / 10_000)}${isHigh ? ', high' : ''}`}
            </span>,
          ],
          ['Fees, included', <Fees key="fees" {...{ quote, taking }} />],
        ]}
      />
      <p className={styles.small}>
        If the price moves so far that you would get less than that, nothing is traded and only the network
        fee is paid.
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

function Fees({ quote, taking }: { quote: FittedQuote; taking: Taking }) {
  const { side, venue, fees } = quote
  const symbols = symbolsOf(taking)
  const { quoteDecimals, baseDecimals } = taking.tokens
  if (venue === 'curve')
    return (
      <Amount
        units={fees.protocol && fees.creator ? `${BigInt(fees.protocol) + BigInt(fees.creator)}` : ''}
        decimals={quoteDecimals}
        symbol={symbols.quote}
      />
    )
  const quoteToken = { decimals: quoteDecimals, symbol: symbols.quote }
  const baseToken = { decimals: baseDecimals, symbol: symbols.base }
  const [paid, received] = side === 'buy' ? [quoteToken, baseToken] : [baseToken, quoteToken]
  const isPaidTo = fees.creator !== '0' && fees.creator !== ''
  const creatorSide = isPaidTo ? findCreatorFeeSide(quote) : undefined
  return (
    <>
      <Amount units={fees.pool} {...paid} />
      {creatorSide !== undefined ? (
        <>
          {' and '}
          <Amount units={fees.creator} {...(creatorSide === 'paid' ? paid : received)} /> for the creator
        </>
      ) : (
        isPaidTo && ' and the creator’s'
      )}
    </>
  )
}
