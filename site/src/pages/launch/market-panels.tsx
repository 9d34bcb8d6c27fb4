import type { LaunchHolders, LaunchTrade, LaunchTrades, Network } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Amount, Price } from '../../components/figures.tsx'
import { Panel } from '../../components/layout.tsx'
import { agentHref } from '../../lib/agents.ts'
import { formatShare, plural, quoteSymbol, shorten } from '../../lib/format.ts'
import { isRaise } from '../../lib/launches.ts'
import { agentQuery } from '../../lib/queries.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSite } from '../../lib/site-context.ts'
import { walletHref } from '../../lib/wallets.ts'
import { launchTrades, tradeKey, tradesQuery } from '../../trades/read-trades.ts'
import { MoreTrades, TimeCell } from '../../trades/trade-parts.tsx'
import tradeTableStyles from '../../trades/trade-table.module.css'
import { amountOf, describeKind, explainFees, explainGaps } from '../../trades/trade-words.ts'
import { useWallet } from '../../wallet/wallet-store.ts'
import styles from './market.module.css'
import { holdersQuery, type MarketProps, tradesTitle } from './market.ts'

export const MarketPanels = (props: MarketProps) => (
  <>
    <Panel title={tradesTitle(props)}>
      <Trades {...props} />
    </Panel>
    <Panel title="Holders">
      <Holders {...props} />
    </Panel>
  </>
)

/** The newest trades first. New ones come in at the top. */
function Trades({ data, status, network, figures, hasEnded }: MarketProps) {
  const { slipway } = useSite()
  const { genesisAddress, lastActivityAt } = data.launch
  const source = launchTrades(slipway, network, genesisAddress)
  const { data: list, isError } = useQuery(tradesQuery(source))
  useLateTrades(network, genesisAddress, lastActivityAt)
  if (!list)
    return (
      <p role="status" className={styles.note}>
        {isError ? 'Trades are not available now.' : 'Reading the trades…'}
      </p>
    )
  const title = tradesTitle({ data, status, hasEnded })
  const note = describeList(list, title, figures !== undefined && figures.raised !== '0')
  const lead = title !== 'Deposits' && isRaise(data.launch.mechanic) ? describeSale(list) : undefined
  const fees = explainFees(list.trades)
  const tokens = {
    ...list,
    base: data.baseToken.symbol || 'tokens',
    quote: figures ? quoteSymbol(figures.quoteMint) : '',
  }
  return (
    <>
      {lead !== undefined && <p className={styles.lead}>{lead}</p>}
      {list.trades.length > 0 && <TradeTable trades={list.trades} {...{ network, tokens }} />}
      {note !== undefined && <p className={list.trades.length > 0 ? styles.footnote : styles.note}>{note}</p>}
      {fees !== undefined && <p className={styles.footnote}>{fees}</p>}
      <MoreTrades source={source} next={list.next} />
    </>
  )
}

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

/** What a trade is counted in: symbols and decimals. */
interface TradeTokens {
  base: string
  quote: string
  baseDecimals: number | null
  quoteDecimals: number | null
}

/** Trades as a table or, in a narrow column, as cards. */
function TradeTable({
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
    <div className={tradeTableStyles.container}>
      <table
        className={
          columns.hasKinds
            ? tradeTableStyles.trades
            : `${tradeTableStyles.trades} ${tradeTableStyles.deposits}`
        }
      >
        <thead>
          <tr>
            <th scope="col">Time</th>
            {columns.hasKinds && <th scope="col">Type</th>}
            {columns.hasTokens && (
              <th scope="col" className={tradeTableStyles.figure}>
                Tokens
              </th>
            )}
            <th scope="col" className={tradeTableStyles.figure}>
              {columns.hasKinds ? 'Amount' : 'Deposited'}
            </th>
            {columns.hasPrices && (
              <th scope="col" className={tradeTableStyles.figure}>
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
      {columns.hasKinds && <td className={tradeTableStyles.kind}>{describeKind(kind)}</td>}
      {columns.hasTokens && (
        <td className={tradeTableStyles.base}>
          <Moved units={baseAmount} decimals={baseDecimals} symbol={base} />
        </td>
      )}
      <td className={tradeTableStyles.quote}>
        <Moved units={amountOf(trade)} decimals={quoteDecimals} symbol={quote} />
      </td>
      {columns.hasPrices && (
        <td className={tradeTableStyles.price}>
          {price === null ? <None /> : <Price price={price} symbol={quote} />}
        </td>
      )}
      <td className={tradeTableStyles.about}>
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
  <span className={tradeTableStyles.none} aria-hidden="true">
    –
  </span>
)

const HOLDERS_SHOWN = 10

/** Who holds most of the token. */
function Holders({ data, network }: MarketProps) {
  const { slipway } = useSite()
  const [shown, setShown] = useState(HOLDERS_SHOWN)
  const { data: list, isError } = useQuery(holdersQuery(slipway, network, data.launch.genesisAddress))
  if (!list || list.holders.length === 0)
    return (
      <p role="status" className={styles.note}>
        {list
          ? 'No one holds this token yet.'
          : isError
            ? 'Holders are not available now.'
            : 'Reading the holders…'}
      </p>
    )
  const { mechanic, graduatedAt } = data.launch
  // A presale may also keep what it did not sell.
  const isHandedOut = graduatedAt !== null && wordsOf(mechanic).isShared === true
  return (
    <div className={styles.container}>
      <ol className={styles.holders}>
        {list.holders.slice(0, shown).map(({ owner, amount, share, label }) => (
          <li key={`${owner} ${amount}`}>
            <span className={styles.owner}>
              <WalletLink address={owner} network={network} />
              <Label label={label} isHandedOut={isHandedOut} />
            </span>
            <span className={styles.share}>{formatHolding(share)}</span>
            <Bar share={share} />
            <span className={styles.base}>
              <Amount units={amount} decimals={list.baseDecimals} symbol={data.baseToken.symbol} />
            </span>
          </li>
        ))}
      </ol>
      {list.unreadParts > 0 && (
        <p className={styles.footnote}>
          This version can’t read {plural(list.unreadParts, 'part')} of the launch. What such a part holds is
          listed without a label.
        </p>
      )}
      {list.holders.length > shown && (
        <div className={styles.more}>
          <Button onClick={() => setShown(list.holders.length)}>Show all {list.holders.length}</Button>
        </div>
      )}
    </div>
  )
}

function Label({ label, isHandedOut }: { label: string | null; isHandedOut: boolean }) {
  const text = describeLabel(label, isHandedOut)
  return text === undefined ? null : <span className={styles.mark}>{text}</span>
}

/** Drawn without style attributes, which the site's policy forbids. */
const Bar = ({ share }: { share: number }) => (
  <svg className={styles.bar} aria-hidden="true" width="100%" height="4">
    <rect width="100%" height="4" rx="2" className={styles.track} />
    <rect
      width={`${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`}
      height="4"
      rx="2"
      className={styles.fill}
    />
  </svg>
)

/** The reader's own wallet is marked. */
function WalletLink({ address, network }: { address: string; network: Network }) {
  const { settings } = useSite()
  const { account } = useWallet()
  if (address === '') return 'unknown'
  return (
    <Link href={walletHref(address, network, settings.networks)} className={styles.address} title={address}>
      {account?.address === address ? <b className={styles.mark}>you</b> : shorten(address)}
    </Link>
  )
}

/** An agent by its name. */
function AgentLink({ address, network }: { address: string; network: Network }) {
  const { slipway, settings } = useSite()
  const { data } = useQuery(agentQuery(slipway, network, address))
  return (
    <Link href={agentHref(address, network, settings.networks)} className={styles.agent} title={address}>
      <bdi>{data?.name || shorten(address)}</bdi>
    </Link>
  )
}

type HolderLabel = NonNullable<LaunchHolders['holders'][number]['label']>

const LABELS: Record<HolderLabel, string> = {
  curve: 'Curve',
  pool: 'Pool',
  launch: 'Launch',
  creator: 'Creator',
  agent: 'Agent',
}

/** What is known about an owner; undefined for anyone else. */
export const describeLabel = (
  label: string | null,
  /** Whether the launch only has what people have not claimed yet. */
  isHandedOut: boolean,
): string | undefined =>
  label === null ? undefined : isHandedOut && label === 'launch' ? 'Unclaimed' : LABELS[label as HolderLabel]

const SHARE_MIN = 0.001

/** A share of the supply. Whoever holds something never holds `0%`. */
export const formatHolding = (share: number): string =>
  share > 0 && share < SHARE_MIN ? `<${formatShare(SHARE_MIN)}` : formatShare(share)

/** What to say below the list: why trades are missing, or that there are none yet. Undefined if all is there. */
export function describeList(
  list: Pick<LaunchTrades, 'trades' | 'complete' | 'reason'>,
  /** What they are called. */
  title = 'Trades',
  /** Whether anything was raised, so that there must have been some. */
  isRaised = false,
): string | undefined {
  if (!list.complete) return explainGaps(list)
  if (list.trades.length > 0) return undefined
  if (isRaised) return `The ${title.toLowerCase()} are not listed yet.`
  return `No ${title.toLowerCase()} yet. The first one appears here within seconds.`
}

/** What a list of trades shows while a pool that came from deposits has none. */
export const describeSale = ({
  trades,
  complete,
}: Pick<LaunchTrades, 'trades' | 'complete'>): string | undefined =>
  complete && trades.length > 0 && trades.every(({ kind }) => kind !== 'buy' && kind !== 'sell')
    ? 'There are no trades in the pool yet. The list shows deposits and claims.'
    : undefined
