import type { LaunchTrade, LaunchTrades, Network } from '@slipway/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowUpRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Amount } from '../../../components/amount.tsx'
import { Button } from '../../../components/button.tsx'
import { Price } from '../../../components/price.tsx'
import { TimeAgo } from '../../../components/time.tsx'
import { explorerUrl } from '../../../lib/explorer.ts'
import { quoteSymbol } from '../../../lib/format.ts'
import { queryKeys } from '../../../lib/query-keys.ts'
import { useSite } from '../../../lib/site-context.ts'
import styles from './market.module.css'
import type { MarketProps } from './market-props.ts'
import { describeKind, describeList } from './market-words.ts'
import { tradeKey, tradesQuery } from './read-trades.ts'
import { useMoreTrades } from './use-more-trades.ts'
import { AgentLink, WalletLink } from './wallet-link.tsx'

/** The newest trades first. New ones come in at the top. */
export function Trades({ data, status, network, figures }: MarketProps) {
  const { slipway } = useSite()
  const { genesisAddress, lastActivityAt } = data.launch
  const { data: list, isError } = useQuery(tradesQuery(slipway, network, genesisAddress))
  const more = useMoreTrades(network, genesisAddress)
  useLateTrades(network, genesisAddress, lastActivityAt)
  if (!list)
    return (
      <p role="status" className={styles.note}>
        {isError ? 'Trades are not available now.' : 'Reading the trades…'}
      </p>
    )
  const { trades, next } = list
  const note = describeList(list, status)
  const symbols = {
    base: data.baseToken.symbol || 'tokens',
    quote: figures ? quoteSymbol(figures.quoteMint) : '',
  }
  return (
    <>
      {trades.length > 0 && (
        <div className={styles.container}>
          <table className={styles.trades}>
            <thead>
              <tr>
                <th scope="col">Time</th>
                <th scope="col">Trade</th>
                <th scope="col">Tokens</th>
                <th scope="col">Amount</th>
                <th scope="col">Price</th>
                <th scope="col">Wallet</th>
              </tr>
            </thead>
            <tbody>
              {trades.map(trade => (
                <TradeRow key={tradeKey(trade)} {...{ trade, list, symbols, network }} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {note !== undefined && <p className={styles.note}>{note}</p>}
      {next !== null && (
        <div className={styles.more}>
          <Button onClick={() => void more.load(next)} aria-busy={more.state === 'loading'}>
            Show more
          </Button>
          {more.state === 'failed' && <span role="status">They could not be loaded. Try again.</span>}
        </div>
      )}
    </>
  )
}

function TradeRow({
  trade,
  list: { quoteDecimals, baseDecimals },
  symbols,
  network,
}: {
  trade: LaunchTrade
  list: LaunchTrades
  symbols: { base: string; quote: string }
  network: Network
}) {
  const { settings } = useSite()
  const { signature, time, kind, baseAmount, quoteAmount, price, wallet, agent } = trade
  return (
    <tr data-kind={kind}>
      <td className={styles.time}>
        <a
          href={explorerUrl(`tx/${signature}`, network, settings)}
          target="_blank"
          rel="noopener"
          className={styles.transaction}
        >
          <TimeAgo at={time} />
          <ArrowUpRight size={14} strokeWidth={1.5} aria-label="(view transaction, opens in a new tab)" />
        </a>
      </td>
      <td className={styles.kind}>{describeKind(kind)}</td>
      <td className={styles.base}>
        <Moved units={baseAmount} decimals={baseDecimals} symbol={symbols.base} />
      </td>
      <td className={styles.quote}>
        <Moved units={quoteAmount} decimals={quoteDecimals} symbol={symbols.quote} />
      </td>
      <td className={styles.price}>
        {price === null ? <None /> : <Price price={price} symbol={symbols.quote} />}
      </td>
      <td className={styles.owner}>
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

const LATE_MS = 2_000

/** Events have the list read when the launch moves. The service may read the trade itself a moment later. */
function useLateTrades(network: Network, address: string, lastActivityAt: string) {
  const queryClient = useQueryClient()
  const [firstActivityAt] = useState(lastActivityAt)
  useEffect(() => {
    if (lastActivityAt === firstActivityAt) return undefined
    const refresh = () => void queryClient.invalidateQueries({ queryKey: queryKeys.trades(network, address) })
    const timer = setTimeout(refresh, LATE_MS)
    return () => clearTimeout(timer)
  }, [queryClient, network, address, firstActivityAt, lastActivityAt])
}
