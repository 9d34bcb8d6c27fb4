import { Link } from 'wouter'
import { Panel } from '../../components/panel.tsx'
import { useSite } from '../../lib/site-context.ts'
import type { Holdings } from '../../lib/wallets.ts'
import { rewardsHref } from '../rewards/rewards-href.ts'
import { TokenAmount } from '../rewards/token-amount.tsx'
import type { Shown } from './use-whole-list.ts'
import styles from './wallet.module.css'

/** What the wallet can claim as a creator, per token. The claim itself is on the page of its rewards. */
export function WalletRewards({ wallet, network, holdings }: Shown) {
  const { networks } = useSite().settings
  if (holdings.rewards.length === 0)
    return (
      <Panel title="Rewards">
        <p className={styles.empty}>Fees from launches that pay this wallet appear here.</p>
      </Panel>
    )
  return (
    <Panel title="Rewards">
      <ul>
        {holdings.rewards.map(({ quoteMint, claimable }) => (
          <li key={quoteMint}>
            <b>
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
      <p className={styles.note}>
        <Link href={rewardsHref(wallet, network, networks)}>Where they come from, and how to claim them</Link>
      </p>
    </Panel>
  )
}

/** A launch that is likely to know the token's decimals. */
const findLaunchPaidIn = ({ positions, launches }: Holdings, mint: string): string | undefined =>
  positions.find(({ quoteMint }) => quoteMint === mint)?.genesisAddress ?? launches[0]?.launch.genesisAddress
