import type { CreatorRewards, Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Panel } from '../../components/panel.tsx'
import { plural, shorten } from '../../lib/format.ts'
import { launchHref, titleOf } from '../../lib/launches.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { rewardsQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import type { Holdings } from '../../lib/wallets.ts'
import { useWallet } from '../../wallet/wallet-store.ts'
import { ClaimBar } from '../rewards/claim-bar.tsx'
import { groupByLaunch } from '../rewards/group-by-launch.ts'
import { rewardsHref } from '../rewards/rewards-href.ts'
import { TokenAmount } from '../rewards/token-amount.tsx'
import { useClaim } from '../rewards/use-claim.ts'
import type { Shown } from './use-whole-list.ts'
import styles from './wallet.module.css'

/** What the wallet can claim as a creator: per token, then by launch. */
export function WalletRewards({ wallet, network, holdings }: Shown) {
  const { slipway, settings } = useSite()
  const { data: rewards } = useQuery({
    ...rewardsQuery(slipway, network, wallet),
    enabled: useIsHydrated() && holdings.rewards.length > 0,
  })
  if (holdings.rewards.length === 0)
    return (
      <Panel title="Rewards">
        <p className={styles.empty}>Fees from launches that pay this wallet appear here.</p>
      </Panel>
    )
  const totals = rewards?.totals ?? holdings.rewards
  return (
    <Panel title="Rewards">
      <ul>
        {totals.map(({ quoteMint, claimable }) => (
          <li key={quoteMint}>
            <b className={styles.total}>
              <TokenAmount
                units={claimable}
                mint={quoteMint}
                network={network}
                genesisAddress={findLaunchPaidIn(holdings, quoteMint)}
              />
            </b>{' '}
            ready to claim
          </li>
        ))}
      </ul>
      {rewards && <ByLaunch {...{ rewards, network, holdings }} />}
      <p className={styles.note}>
        <Link href={rewardsHref(wallet, network, settings.networks)}>All rewards and their history</Link>
      </p>
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
  const { account } = useWallet()
  const claim = useClaim(rewards, network)
  const owing = groupByLaunch(rewards.buckets).filter(({ claimable }) => claimable !== '0')
  const left = owing.length - LAUNCHES_SHOWN
  return (
    <>
      <ul className={styles.sources}>
        {owing.slice(0, LAUNCHES_SHOWN).map(({ genesisAddress, quoteMint, claimable }) => (
          <li key={`${genesisAddress} ${quoteMint}`}>
            <Link href={launchHref(genesisAddress, network, networks)}>
              <bdi>{nameOf(holdings, genesisAddress)}</bdi>
            </Link>
            <TokenAmount units={claimable} mint={quoteMint} {...{ network, genesisAddress }} />
          </li>
        ))}
        {left > 0 && <li className={styles.empty}>and {plural(left, 'more launch', 'more launches')}</li>}
      </ul>
      {account?.address === rewards.wallet && <ClaimBar {...{ rewards, network, claim }} />}
      {claim.sheet}
    </>
  )
}

/** The launches that pay the wallet are on this page, except those far down its list. */
function nameOf({ launches }: Holdings, address: string): string {
  const found = launches.find(({ launch }) => launch.genesisAddress === address)
  return found ? titleOf(found) : `Launch ${shorten(address)}`
}

/** A launch that is likely to know the token's decimals. */
const findLaunchPaidIn = ({ positions, launches }: Holdings, mint: string): string | undefined =>
  positions.find(({ quoteMint }) => quoteMint === mint)?.genesisAddress ?? launches[0]?.launch.genesisAddress
