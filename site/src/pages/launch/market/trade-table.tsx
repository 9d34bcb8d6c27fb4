import type { LaunchTrade, Network } from '@slipway/client'
import { Amount } from '../../../components/amount.tsx'
import { Price } from '../../../components/price.tsx'
import { tradeKey } from '../../../trades/read-trades.ts'
import { TimeCell } from '../../../trades/time-cell.tsx'
import styles from '../../../trades/trade-table.module.css'
import { amountOf, describeKind } from '../../../trades/trade-words.ts'
import { AgentLink, WalletLink } from './wallet-link.tsx'

/** What a trade is counted in: symbols and decimals. */
interface TradeTokens {
  base: string
  quote: string
  baseDecimals: number | null
  quoteDecimals: number | null
}

/** Trades as a table or, in a narrow column, as cards. */
export function TradeTable({
  trades,
  network,
  tokens,
}: {
  trades: readonly LaunchTrade[]
  network: Network
  tokens: TradeTokens
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
            {columns.hasKinds && <th scope="col">Type</th>}
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
            <th scope="col">Wallet</th>
          </tr>
        </thead>
        <tbody>
          {trades.map(trade => (
            <TradeRow key={tradeKey(trade)} {...{ trade, tokens, network, columns }} />
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
}: {
  trade: LaunchTrade
  tokens: TradeTokens
  network: Network
  columns: { hasKinds: boolean; hasTokens: boolean; hasPrices: boolean }
}) {
  const { kind, baseAmount, price, wallet, agent } = trade
  return (
    <tr data-kind={kind}>
      <TimeCell {...{ trade, network }} />
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
      <td className={styles.about}>
        {agent === null ? (
          <WalletLink address={wallet} network={network} />
        ) : (
          <AgentLink address={agent} network={network} />
        )}
      </td>
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
