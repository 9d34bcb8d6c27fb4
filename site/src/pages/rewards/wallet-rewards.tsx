import type { CreatorRewards, Network, RewardTotals } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { Braces } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useSearch } from 'wouter'
import { NetworkFilter, OtherNetwork } from '../../components/choices.tsx'
import { StaleNotice, Unreachable } from '../../components/failure.tsx'
import { Toolbar } from '../../components/layout.tsx'
import { Notice } from '../../components/notice.tsx'
import { Address } from '../../components/text.tsx'
import totalStyles from '../../components/total.module.css'
import { agentHref, agentTitle } from '../../lib/agents.ts'
import { networkName, plural } from '../../lib/format.ts'
import { isAddress } from '../../lib/is-address.ts'
import { withNetwork } from '../../lib/networks.ts'
import { agentQuery, rewardsQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { walletHref } from '../../lib/wallets.ts'
import { BucketList } from './bucket-list.tsx'
import { ClaimBar } from './claim-bar.tsx'
import styles from './rewards.module.css'
import { rewardsHref } from './rewards-href.ts'
import { TokenAmount } from './token-amount.tsx'
import { useClaim } from './use-claim.ts'

/** What a wallet has earned: a total per token, then where it comes from. */
export function WalletRewards({ wallet, network }: { wallet: string; network: Network }) {
  const { slipway, settings, basePath } = useSite()
  const { networks } = settings
  const { data, error, isError, refetch } = useQuery(rewardsQuery(slipway, network, wallet))
  return (
    <>
      <Toolbar>
        <p className={styles.wallet}>
          <span>Wallet</span>{' '}
          <Address
            address={wallet}
            network={network}
            label="the wallet’s address"
            href={walletHref(wallet, network, networks)}
          />
        </p>
        <NetworkFilter current={network} hrefOf={other => rewardsHref(wallet, other, networks)} />
      </Toolbar>
      <OfAgent wallet={wallet} network={network} />
      {isError && data && <StaleNotice error={error} />}
      {data ? (
        <Content key={`${wallet} ${network}`} rewards={data} network={network} />
      ) : isError ? (
        <Unreachable error={error} level={2} onRetry={() => void refetch()}>
          The rewards could not be read. What was earned is on the chain and stays there.
        </Unreachable>
      ) : (
        <div className={styles.placeholder} role="status" aria-label="Loading the rewards" />
      )}
      <a
        className={`line-link ${styles.json}`}
        href={withNetwork(`${basePath}/v1/creator-rewards/${wallet}`, network, networks)}
      >
        <Braces size={16} strokeWidth={1.5} aria-hidden="true" />
        These rewards as JSON
      </a>
    </>
  )
}

/** An agent's rewards arrive in its wallet, wrapped. A visitor who came from the agent's page finds the way back. */
function OfAgent({ wallet, network }: { wallet: string; network: Network }) {
  const { slipway, settings } = useSite()
  const address = new URLSearchParams(useSearch()).get('agent') ?? ''
  const { data: agent } = useQuery({
    ...agentQuery(slipway, network, address),
    enabled: isAddress(address),
    retry: false,
  })
  if (agent?.walletAddress !== wallet) return null
  return (
    <p className={styles.nothing}>
      This is the wallet of{' '}
      <Link href={agentHref(address, network, settings.networks)}>
        <bdi>{agentTitle(agent)}</bdi>
      </Link>
      . Claimed rewards arrive there as wrapped SOL. The agent’s owner can withdraw them as SOL on the agent’s
      page.
    </p>
  )
}

function Content({ rewards, network }: { rewards: CreatorRewards; network: Network }) {
  const { wallet, buckets, totals } = rewards
  const { networks } = useSite().settings
  const claim = useClaim(rewards, network)
  const summary = useRef<HTMLDivElement>(null)
  const isSigning = claim.sheet !== undefined
  // While a claim runs, the button that opened the sheet is gone. What is around it gets the focus back.
  useEffect(() => {
    if (!isSigning) return undefined
    return () => {
      if (document.activeElement === document.body) summary.current?.focus({ preventScroll: true })
    }
  }, [isSigning])
  if (buckets.length === 0)
    return (
      <Notice
        level={2}
        title={`Nothing earned on ${networkName(network)}`}
        action={<OtherNetwork current={network} hrefOf={other => rewardsHref(wallet, other, networks)} />}
      >
        No launch pays its creator fees to this wallet. Fees go to the wallet that created a launch, unless it
        named another.
      </Notice>
    )
  const isEmpty = totals.every(({ claimable }) => claimable === '0')
  return (
    <>
      <div ref={summary} className={styles.summary} tabIndex={-1}>
        <ul className={styles.totals}>
          {totals.map(total => (
            <li key={total.quoteMint}>
              <Total
                total={total}
                network={network}
                genesisAddress={
                  buckets.find(({ quoteMint }) => quoteMint === total.quoteMint)?.genesisAddress
                }
              />
            </li>
          ))}
        </ul>
        {isEmpty && !claim.isRunning ? (
          <p className={styles.nothing}>
            Nothing to claim right now. Every trade in the launches below adds fees.
          </p>
        ) : (
          <ClaimBar rewards={rewards} network={network} claim={claim} />
        )}
      </div>
      {claim.sheet}
      <h2 className={styles.heading}>
        From {plural(new Set(buckets.map(({ genesisAddress }) => genesisAddress)).size, 'launch', 'launches')}
      </h2>
      <BucketList buckets={buckets} network={network} states={claim.states} />
    </>
  )
}

function Total({
  total: { quoteMint, claimable, claimed, accrued, uncollected },
  ...source
}: {
  total: RewardTotals
  network: Network
  /** A launch that is paid in this token. */
  genesisAddress: string | undefined
}) {
  const amount = (units: string) => <TokenAmount units={units} mint={quoteMint} {...source} />
  return (
    <section className={totalStyles.total}>
      <h2>Ready to claim</h2>
      <p className={totalStyles.amount}>{amount(claimable)}</p>
      <p className={totalStyles.parts}>
        <span>Earned {amount(`${BigInt(accrued) + BigInt(uncollected)}`)}</span>
        <span>Claimed {amount(claimed)}</span>
      </p>
    </section>
  )
}
