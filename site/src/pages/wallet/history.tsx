import type { Network, WalletTrades } from '@slipway/client'
import { Fragment } from 'react'
import { Link } from 'wouter'
import { Amount, Price } from '../../components/figures.tsx'
import { Panel } from '../../components/layout.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { quoteSymbol } from '../../lib/format.ts'
import { launchHref, titleOf } from '../../lib/launches.ts'
import { useSite } from '../../lib/site-context.ts'
import { tradeKey, walletTrades } from '../../trades/read-trades.ts'
import { MoreTrades, TimeCell } from '../../trades/trade-parts.tsx'
import tableStyles from '../../trades/trade-table.module.css'
import { amountOf, describeKind, explainFees, explainGaps } from '../../trades/trade-words.ts'
import styles from './wallet.module.css'

/** What the wallet did in launches, newest first. */
export function History({
  wallet,
  network,
  list,
  isError,
}: {
  wallet: string
  network: Network
  list: WalletTrades | undefined
  isError: boolean
}) {
  const { slipway } = useSite()
  const gaps = list && explainGaps(list)
  const fees = list && explainFees(list.trades)
  return (
    <Panel title="History">
      {!list ? (
        <p role="status" className="soft">
          {isError ? 'The history is not available now.' : 'Reading the history…'}
        </p>
      ) : (
        list.trades.length > 0 && (
          <div className={tableStyles.container}>
            <table className={tableStyles.trades}>
              <thead>
                <tr>
                  <th scope="col">Time</th>
                  <th scope="col">Type</th>
                  <th scope="col">Launch</th>
                  <th scope="col" className={styles.amount}>
                    Amount
                  </th>
                </tr>
              </thead>
              <tbody>
                {list.trades.map(trade => (
                  <HistoryRow key={tradeKey(trade)} trade={trade} network={network} />
                ))}
              </tbody>
            </table>
          </div>
        )
      )}
      {fees !== undefined && <p className="small faint top-3">{fees}</p>}
      {gaps !== undefined && (
        <p className="small faint top-3">{gaps} Some of what this wallet did may be missing.</p>
      )}
      {list && <MoreTrades source={walletTrades(slipway, network, wallet)} next={list.next} />}
    </Panel>
  )
}

type Trade = WalletTrades['trades'][number]

function HistoryRow({ trade, network }: { trade: Trade; network: Network }) {
  return (
    <tr>
      <TimeCell {...{ trade, network }} />
      <td className={tableStyles.kind}>{describeKind(trade.kind)}</td>
      <td className={`${tableStyles.about} ${styles.of}`}>
        <LaunchLink trade={trade} network={network} />
      </td>
      <td className={`${tableStyles.quote} ${styles.moved}`}>
        <Moved trade={trade} />
      </td>
    </tr>
  )
}

/** Tokens, money or one for the other, with the price below. */
function Moved({ trade }: { trade: Trade }) {
  const { baseAmount, price, baseDecimals, quoteDecimals, baseToken, quoteMint } = trade
  const symbol = quoteMint === null ? '' : quoteSymbol(quoteMint)
  const parts = [
    [baseAmount, baseDecimals, baseToken.symbol || 'tokens'] as const,
    [amountOf(trade), quoteDecimals, symbol] as const,
  ].filter(([units]) => units !== '0')
  return (
    <>
      {parts.map(([units, decimals, name], at) => (
        <Fragment key={at === 0 ? 'first' : 'second'}>
          {at > 0 && ' for '}
          {decimals === null ? 'unknown' : <Amount units={units} decimals={decimals} symbol={name} />}
        </Fragment>
      ))}
      {price !== null && (
        <span className="small faint block">
          at <Price price={price} symbol={symbol} />
        </span>
      )}
    </>
  )
}

function LaunchLink({ trade, network }: { trade: Trade; network: Network }) {
  const { networks } = useSite().settings
  const { genesisAddress, baseToken } = trade
  return (
    <Link href={launchHref(genesisAddress, network, networks)} className={`reach ${styles.launch}`}>
      <TokenPicture image={baseToken.image} name={titleOf(trade)} address={genesisAddress} size={24} />
      <bdi>{titleOf(trade)}</bdi>
    </Link>
  )
}
