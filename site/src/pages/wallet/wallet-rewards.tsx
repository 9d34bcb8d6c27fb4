import type { CreatorRewards, Network } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Panel } from '../../components/layout.tsx'
import { Waiting } from '../../components/notice.tsx'
import { plural, shorten } from '../../lib/format.ts'
import { launchHref, titleOf } from '../../lib/launches.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { rewardsQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import type { Holdings } from '../../lib/wallets.ts'
import { groupByLaunch } from '../rewards/group-by-launch.ts'
import { rewardsHref } from '../rewards/rewards-href.ts'
import { TokenAmount } from '../rewards/token-amount.tsx'
import type { Shown } from './use-whole-list.ts'
import styles from './wallet.module.css'

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
        <Waiting className={styles.empty}>
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
      {owing.length === 0 && <p className={styles.empty}>Nothing to claim right now.</p>}
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
    </>
  )
}

/** The launches that pay the wallet are on this page, except those far down its list. */
function nameOf({ launches }: Holdings, address: string): string {
  const found = launches.find(({ launch }) => launch.genesisAddress === address)
  return found ? titleOf(found) : `Launch ${shorten(address)}`
}
