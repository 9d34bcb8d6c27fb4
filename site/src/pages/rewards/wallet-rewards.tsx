import { type CreatorRewards, type Network, type RewardTotals, SlipwayError } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { Braces } from 'lucide-react'
import { Link } from 'wouter'
import { Address } from '../../components/address.tsx'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { StaleNotice } from '../../components/stale-notice.tsx'
import { NETWORK_NAMES, plural } from '../../lib/format.ts'
import { rewardsQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
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
  const query = network === networks[0] ? '' : `?network=${network}`
  return (
    <>
      <div className={styles.tools}>
        <p className={styles.wallet}>
          <span>Wallet</span> <Address address={wallet} label="the wallet’s address" />
        </p>
        {networks.length > 1 && (
          <Segmented
            label="Network"
            choices={networks.map(one => ({
              text: NETWORK_NAMES[one] ?? one,
              href: rewardsHref(wallet, one, networks),
              isCurrent: one === network,
            }))}
          />
        )}
      </div>
      {isError && data && <StaleNotice />}
      {data ? (
        <Content key={`${wallet} ${network}`} rewards={data} network={network} />
      ) : isError ? (
        <Failed error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={styles.placeholder} role="status" aria-label="Loading the rewards" />
      )}
      <a className={styles.json} href={`${basePath}/v1/creator-rewards/${wallet}${query}`}>
        <Braces size={16} strokeWidth={1.5} aria-hidden="true" />
        These rewards as JSON
      </a>
    </>
  )
}

function Content({ rewards, network }: { rewards: CreatorRewards; network: Network }) {
  const { wallet, buckets, totals } = rewards
  const { networks } = useSite().settings
  const claim = useClaim(rewards, network)
  const other = networks.find(one => one !== network)
  if (buckets.length === 0)
    return (
      <Notice
        level={2}
        title={`Nothing earned on ${NETWORK_NAMES[network] ?? network}`}
        action={
          other && (
            <Link href={rewardsHref(wallet, other, networks)}>Look on {NETWORK_NAMES[other] ?? other}</Link>
          )
        }
      >
        No launch pays its creator fees to this wallet. Fees go to the wallet that created a launch, unless it
        named another.
      </Notice>
    )
  const isEmpty = totals.every(({ claimable }) => claimable === '0')
  return (
    <>
      <ul className={styles.totals}>
        {totals.map(total => (
          <li key={total.quoteMint}>
            <Total
              total={total}
              network={network}
              genesisAddress={buckets.find(({ quoteMint }) => quoteMint === total.quoteMint)?.genesisAddress}
            />
          </li>
        ))}
      </ul>
      {isEmpty && !claim.isRunning ? (
        <p className={styles.nothing}>
          Nothing to claim right now. Fees add up here with every trade of the launches below.
        </p>
      ) : (
        <ClaimBar rewards={rewards} network={network} claim={claim} />
      )}
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
    <section className={styles.total}>
      <h2>Ready to claim</h2>
      <p className={styles.amount}>{amount(claimable)}</p>
      <p className={styles.parts}>
        <span>Earned {amount(`${BigInt(accrued) + BigInt(uncollected)}`)}</span>
        <span>Claimed {amount(claimed)}</span>
      </p>
    </section>
  )
}

function Failed({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const isBusy = error instanceof SlipwayError && error.status === 429
  return (
    <Notice
      kind="error"
      level={2}
      title={isBusy ? 'Too many requests' : 'The rewards could not be read'}
      action={
        <>
          <Button onClick={onRetry}>Try again</Button>
          <Link href="/status">Status</Link>
        </>
      }
    >
      {isBusy
        ? 'Your network address has used up its requests for this minute. The page works again in less than 60 seconds.'
        : 'The service or the chain is not answering. What was earned is on the chain and stays there.'}
    </Notice>
  )
}
