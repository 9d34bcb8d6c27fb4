import type { CreatorRewards, Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { Braces } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useSearch } from 'wouter'
import { NetworkFilter } from '../../components/choices.tsx'
import { StaleNotice, Unreachable } from '../../components/failure.tsx'
import { Panel } from '../../components/layout.tsx'
import { Notice, Waiting } from '../../components/notice.tsx'
import { Address } from '../../components/text.tsx'
import { plural, shorten } from '../../lib/format.ts'
import { useTitle } from '../../lib/hooks.ts'
import { launchHref, titleOf } from '../../lib/launches.ts'
import { isAddress } from '../../lib/links.ts'
import { parseNetwork, withNetwork } from '../../lib/networks.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { rewardsQuery, walletQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { type Holdings, walletHref } from '../../lib/wallets.ts'
import { tradesQuery, walletTrades } from '../../trades/read-trades.ts'
import { explainGaps } from '../../trades/trade-words.ts'
import { useWallet } from '../../wallet/wallet-store.ts'
import { definePage, loadOptional } from '../page.ts'
import { groupByLaunch } from '../rewards/group-by-launch.ts'
import { rewardsHref, TokenAmount } from '../rewards/token-amount.tsx'
import { History } from './history.tsx'
import { Agents, Launches, type Shown } from './holding-lists.tsx'
import { Positions } from './positions.tsx'
import styles from './wallet.module.css'
import { Total, WalletOverview } from './wallet-overview.tsx'

const DESCRIPTION =
  'What a wallet has and did here: its positions in launches, its trades, the launches that pay it, its agents and its rewards.'

export const walletPage = definePage<'address'>({
  path: '/wallets/:address',
  Component: ({ params }) => <WalletPage wallet={params.address} />,
  async load(context, { address }, search) {
    const { queryClient, slipway, settings } = context
    const network = parseNetwork(search, settings.networks)
    const head = {
      title: nameWallet(address),
      description: DESCRIPTION,
      path: walletHref(address, network, settings.networks),
      isIndexed: false,
    }
    if (!isAddress(address)) return { status: 404, head: { ...head, title: 'Not a wallet' }, data: [] }
    const query = walletQuery(slipway, network, address)
    const [holdings, trades] = await Promise.all([
      queryClient.fetchQuery(query),
      loadOptional(context, tradesQuery(walletTrades(slipway, network, address))),
    ])
    return { head, data: [[query.queryKey, holdings], ...trades] }
  },
})

const nameWallet = (wallet: string) => `Wallet ${shorten(wallet)}`

function WalletPage({ wallet }: { wallet: string }) {
  const { networks } = useSite().settings
  const network = parseNetwork(new URLSearchParams(useSearch()), networks)
  useTitle(nameWallet(wallet))
  if (!isAddress(wallet))
    return (
      <Notice level={1} title="Not a wallet" action={<Link href="/">All launches</Link>}>
        A wallet’s address is 32 to 44 letters and digits.
      </Notice>
    )
  return (
    <>
      <WalletHead wallet={wallet} network={network} />
      <Content key={network} wallet={wallet} network={network} />
    </>
  )
}

function Content({ wallet, network }: { wallet: string; network: Network }) {
  const { slipway, settings, basePath } = useSite()
  const { data, error, isError, refetch } = useQuery(walletQuery(slipway, network, wallet))
  const history = useQuery(tradesQuery(walletTrades(slipway, network, wallet)))
  const did = <History key="history" {...{ wallet, network }} list={history.data} isError={history.isError} />
  return (
    <>
      {isError && data && <StaleNotice error={error} />}
      {data ? (
        <Parts
          shown={{ wallet, network, holdings: data }}
          history={did}
          hasHistory={
            !history.data || history.data.trades.length > 0 || explainGaps(history.data) !== undefined
          }
        />
      ) : isError ? (
        <>
          <Total wallet={wallet} network={network} holdings={NOTHING} />
          <Unreachable error={error} level={2} onRetry={() => void refetch()}>
            This wallet could not be read. What it has is on the chain and stays there.
          </Unreachable>
          {/* What it did is known without the chain. */}
          {history.data && history.data.trades.length > 0 && did}
        </>
      ) : (
        <div className={styles.placeholder} role="status" aria-label="Loading the wallet" />
      )}
      <a
        className={`line-link ${styles.json}`}
        href={withNetwork(`${basePath}/v1/wallets/${wallet}`, network, settings.networks)}
      >
        <Braces size={16} strokeWidth={1.5} aria-hidden="true" />
        This wallet as JSON
      </a>
    </>
  )
}

const NOTHING: Holdings = {
  ...{ positions: [], launches: [], agents: [], rewards: [], truncated: false, unread: 0 },
  next: { positions: null, launches: null, agents: null },
}

/** What it has, then what it did. Parts that are empty are only named, after the others. */
function Parts({ shown, history, hasHistory }: { shown: Shown; history: ReactNode; hasHistory: boolean }) {
  const { positions, launches, agents, rewards, unread, truncated } = shown.holdings
  const hasPositions = positions.length > 0 || unread > 0 || truncated
  const missing = [
    !hasPositions && 'positions in launches',
    !hasHistory && 'trades',
    rewards.length === 0 && 'creator rewards',
    launches.length === 0 && 'launches that pay it fees',
    agents.length === 0 && 'agents',
  ].filter(name => name !== false)
  const hasMain = hasPositions || hasHistory
  const hasAside = rewards.length > 0 || launches.length > 0 || agents.length > 0
  return (
    <>
      <WalletOverview {...shown} />
      {(hasMain || hasAside) && (
        <div className={hasMain && hasAside ? styles.columns : undefined}>
          {hasMain && (
            <div className={styles.column}>
              {hasPositions && <Positions {...shown} />}
              {hasHistory && history}
            </div>
          )}
          {hasAside && (
            <div className={hasMain ? styles.column : `${styles.column} ${styles.beside}`}>
              {rewards.length > 0 && <WalletRewards {...shown} />}
              {launches.length > 0 && <Launches {...shown} />}
              {agents.length > 0 && <Agents {...shown} />}
            </div>
          )}
        </div>
      )}
      {missing.length > 0 && <p className={styles.missing}>No {missing.join(', no ')} yet.</p>}
    </>
  )
}

/** Whose page this is. It needs nothing but the address, so it is there whatever fails. */
export function WalletHead({ wallet, network }: { wallet: string; network: Network }) {
  const { settings } = useSite()
  const { account } = useWallet()
  return (
    <header className={styles.head}>
      <div>
        <h1>{account?.address === wallet ? 'My wallet' : 'Wallet'}</h1>
        <p className={styles.facts}>
          <Address address={wallet} network={network} label="the wallet’s address" />
        </p>
      </div>
      <NetworkFilter current={network} hrefOf={other => walletHref(wallet, other, settings.networks)} />
    </header>
  )
}

/** What the wallet has earned as a creator and not claimed, by launch. */
export function WalletRewards({ wallet, network, holdings }: Shown) {
  const { slipway, settings } = useSite()
  const { data: rewards, isError } = useQuery({
    ...rewardsQuery(slipway, network, wallet),
    enabled: useIsHydrated(),
  })
  return (
    <Panel title="Rewards">
      {rewards ? (
        <ByLaunch {...{ rewards, network, holdings }} />
      ) : (
        <Waiting className="soft">
          {isError ? 'The rewards can’t be read right now.' : 'Reading the rewards…'}
        </Waiting>
      )}
      <Link href={rewardsHref(wallet, network, settings.networks)} className={`line-link ${styles.all}`}>
        All rewards and their history
      </Link>
    </Panel>
  )
}

/** The page of the rewards has all of them. */
const LAUNCHES_SHOWN = 5

function ByLaunch({
  rewards,
  network,
  holdings,
}: {
  rewards: CreatorRewards
  network: Network
  holdings: Holdings
}) {
  const { networks } = useSite().settings
  const owing = groupByLaunch(rewards.buckets).filter(({ claimable }) => claimable !== '0')
  const left = owing.length - LAUNCHES_SHOWN
  return (
    <>
      {owing.length === 0 && <p className="soft">Nothing to claim right now.</p>}
      <ul className={styles.sources}>
        {owing.slice(0, LAUNCHES_SHOWN).map(({ genesisAddress, quoteMint, claimable }) => (
          <li key={`${genesisAddress} ${quoteMint}`}>
            <Link href={launchHref(genesisAddress, network, networks)}>
              <bdi>{nameOf(holdings, genesisAddress)}</bdi>
            </Link>
            <TokenAmount units={claimable} mint={quoteMint} {...{ network, genesisAddress }} />
          </li>
        ))}
        {left > 0 && <li className="soft">and {plural(left, 'more launch', 'more launches')}</li>}
      </ul>
    </>
  )
}

/** The launches that pay the wallet are on this page, except those far down its list. */
function nameOf({ launches }: Holdings, address: string): string {
  const found = launches.find(({ launch }) => launch.genesisAddress === address)
  return found ? titleOf(found) : `Launch ${shorten(address)}`
}
