import type { LaunchTrade, Network } from '@slipway/client'
import { ArrowUpRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Amount } from '../components/amount.tsx'
import { Button } from '../components/button.tsx'
import { Price } from '../components/price.tsx'
import { TimeAgo } from '../components/time.tsx'
import { explorerUrl } from '../lib/explorer.ts'
import { useSite } from '../lib/site-context.ts'
import { type AnyTrades, type TradeSource, tradeKey } from './read-trades.ts'
import styles from './trade-table.module.css'
import { amountOf, describeKind } from './trade-words.ts'
import { useMoreTrades } from './use-more-trades.ts'

/** What a trade is counted in: symbols and decimals. */
interface TradeTokens {
  base: string
  quote: string
  baseDecimals: number | null
  quoteDecimals: number | null
}

/** Trades as a table or, in a narrow column, as cards. */
export function TradeTable<Trade extends LaunchTrade>({
  trades,
  network,
  tokensOf,
  about,
  show,
}: {
  trades: readonly Trade[]
  network: Network
  tokensOf(trade: Trade): TradeTokens
  /** The last column: what else there is to know about a trade. */
  about: string
  show(trade: Trade): ReactNode
}) {
  // Deposits move no tokens, and have no price of their own.
  const columns = {
    hasKinds: trades.some(({ kind }) => kind !== 'deposit'),
    hasTokens: trades.some(({ baseAmount }) => baseAmount !== '0'),
    hasPrices: trades.some(({ price }) => price !== null),
  }
  return (
    <div className={styles.container}>
      <table className={columns.hasKinds ? styles.trades : `${styles.trades} ${styles.deposits}`}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {columns.hasKinds && <th scope="col">Trade</th>}
            {columns.hasTokens && (
              <th scope="col" className={styles.figure}>
                Tokens
              </th>
            )}
            <th scope="col" className={styles.figure}>
              {columns.hasKinds ? 'Amount' : 'Deposited'}
            </th>
            {columns.hasPrices && (
              <th scope="col" className={styles.figure}>
                Price
              </th>
            )}
            <th scope="col">{about}</th>
          </tr>
        </thead>
        <tbody>
          {trades.map(trade => (
            <TradeRow key={tradeKey(trade)} tokens={tokensOf(trade)} {...{ trade, network, columns }}>
              {show(trade)}
            </TradeRow>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function TradeRow({
  trade,
  tokens: { base, quote, baseDecimals, quoteDecimals },
  network,
  columns,
  children,
}: {
  trade: LaunchTrade
  tokens: TradeTokens
  network: Network
  columns: { hasKinds: boolean; hasTokens: boolean; hasPrices: boolean }
  children: ReactNode
}) {
  const { settings } = useSite()
  const { signature, time, kind, baseAmount, price } = trade
  return (
    <tr data-kind={kind}>
      <td className={styles.time}>
        <a
          href={explorerUrl(`tx/${signature}`, network, settings)}
          target="_blank"
          rel="noopener"
          className={`reach ${styles.transaction}`}
        >
          <TimeAgo at={time} />
          <ArrowUpRight size={14} strokeWidth={1.5} aria-label="(view transaction, opens in a new tab)" />
        </a>
      </td>
      {columns.hasKinds && <td className={styles.kind}>{describeKind(kind)}</td>}
      {columns.hasTokens && (
        <td className={styles.base}>
          <Moved units={baseAmount} decimals={baseDecimals} symbol={base} />
        </td>
      )}
      <td className={styles.quote}>
        <Moved units={amountOf(trade)} decimals={quoteDecimals} symbol={quote} />
      </td>
      {columns.hasPrices && (
        <td className={styles.price}>{price === null ? <None /> : <Price price={price} symbol={quote} />}</td>
      )}
      <td className={styles.about}>{children}</td>
    </tr>
  )
}

/** A deposit moves no tokens, and a claim nothing else. */
const Moved = ({ units, decimals, symbol }: { units: string; decimals: number | null; symbol: string }) =>
  units === '0' ? (
    <None />
  ) : decimals === null ? (
    'unknown'
  ) : (
    <Amount units={units} decimals={decimals} symbol={symbol} />
  )

const None = () => (
  <span className={styles.none} aria-hidden="true">
    –
  </span>
)

/** `next` is where the list continues; null at its end. */
export function MoreTrades<List extends AnyTrades>({
  source,
  next,
}: {
  source: TradeSource<List>
  next: string | null
}) {
  const more = useMoreTrades(source)
  if (next === null) return null
  return (
    <div className={styles.more}>
      <Button onClick={() => void more.load(next)} aria-busy={more.state === 'loading'}>
        Show more
      </Button>
      {more.state === 'failed' && <span role="status">They could not be loaded. Try again.</span>}
    </div>
  )
}
