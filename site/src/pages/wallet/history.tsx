import type { Network, WalletTrades } from '@slipway/client'
import { Link } from 'wouter'
import { Panel } from '../../components/panel.tsx'
import { TokenPicture } from '../../components/token-picture.tsx'
import { quoteSymbol } from '../../lib/format.ts'
import { launchHref, titleOf } from '../../lib/launches.ts'
import { useSite } from '../../lib/site-context.ts'
import { walletTrades } from '../../trades/read-trades.ts'
import { MoreTrades, TradeTable } from '../../trades/trade-table.tsx'
import { explainGaps } from '../../trades/trade-words.ts'
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
  return (
    <Panel title="History">
      {!list ? (
        <p role="status" className={styles.empty}>
          {isError ? 'The history is not available now.' : 'Reading the history…'}
        </p>
      ) : (
        list.trades.length > 0 && (
          <TradeTable
            trades={list.trades}
            network={network}
            tokensOf={({ baseToken, quoteMint, ...decimals }) => ({
              ...decimals,
              base: baseToken.symbol || 'tokens',
              quote: quoteMint === null ? '' : quoteSymbol(quoteMint),
            })}
            about="Launch"
            show={trade => <LaunchLink trade={trade} network={network} />}
          />
        )
      )}
      {gaps !== undefined && (
        <p className={styles.note}>{gaps} Some of what this wallet did may be missing.</p>
      )}
      {list && <MoreTrades source={walletTrades(slipway, network, wallet)} next={list.next} />}
    </Panel>
  )
}

function LaunchLink({ trade, network }: { trade: WalletTrades['trades'][number]; network: Network }) {
  const { networks } = useSite().settings
  const { genesisAddress, baseToken } = trade
  return (
    <Link href={launchHref(genesisAddress, network, networks)} className={`reach ${styles.launch}`}>
      <TokenPicture image={baseToken.image} name={titleOf(trade)} address={genesisAddress} size={24} />
      <bdi>{titleOf(trade)}</bdi>
    </Link>
  )
}
