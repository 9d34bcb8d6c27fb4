import type { CreatorRewards, Network, RewardTotals } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { Braces } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useSearch } from 'wouter'
import { Button } from '../../components/button.tsx'
import { NetworkFilter, OtherNetwork } from '../../components/choices.tsx'
import { StaleNotice, Unreachable } from '../../components/failure.tsx'
import { Toolbar } from '../../components/layout.tsx'
import { Notice } from '../../components/notice.tsx'
import { Address } from '../../components/text.tsx'
import totalStyles from '../../components/total.module.css'
import { agentHref, agentTitle } from '../../lib/agents.ts'
import { networkName, plural, shorten } from '../../lib/format.ts'
import { isAddress } from '../../lib/links.ts'
import { withNetwork } from '../../lib/networks.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { agentQuery, rewardsQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { walletHref } from '../../lib/wallets.ts'
import { TRANSACTIONS_MAX } from '../../transactions/intent.ts'
import { ActAs } from '../../wallet/wallet-button.tsx'
import { openWalletDialog, useWallet } from '../../wallet/wallet-store.ts'
import { BucketList } from './bucket-list.tsx'
import styles from './rewards.module.css'
import { rewardsHref, TokenAmount } from './token-amount.tsx'
import { type Claim, useClaim } from './use-claim.ts'

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
    <p className="top-4 soft">
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
          <p className="top-4 soft">
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

/** The main button of the page, for wallets that can claim. */
function ClaimBar({
  rewards: { wallet, buckets },
  network,
  claim: { states, isRunning, open },
}: {
  rewards: CreatorRewards
  network: Network
  claim: Claim
}) {
  const { account } = useWallet()
  const isHydrated = useIsHydrated()
  const claimable = buckets.filter(bucket => bucket.claimable !== '0')
  if (!isHydrated) return <div className={styles.bar} />
  if (!account)
    return (
      <div className={styles.bar}>
        <p>Is it yours? Connect it to claim.</p>
        <Button kind="primary" onClick={openWalletDialog}>
          Connect a wallet
        </Button>
      </div>
    )
  if (account.address !== wallet || !account.networks.includes(network))
    return (
      <div className={styles.bar}>
        <NotYours wallet={wallet} network={network} />
        {account.networks.includes(network) && claimable.length > 0 && !isRunning && (
          <>
            <Button onClick={open}>Claim for this wallet</Button>
            <p>
              You pay the network fees. The rewards go to this wallet. Rewards in SOL arrive as wrapped SOL.
            </p>
          </>
        )}
      </div>
    )
  // Once every row says that it is claimed, the page waits for nothing.
  const isClaimed = states.size > 0 && [...states.values()].every(state => state === 'confirmed')
  if (isRunning && !isClaimed)
    return (
      <div className={styles.bar} role="status">
        <p>A claim is on its way, here or in another tab. Figures update once it’s confirmed.</p>
      </div>
    )
  if (claimable.length === 0) return null
  // Amounts of different tokens do not compare.
  const isOneToken = new Set(claimable.map(({ quoteMint }) => quoteMint)).size === 1
  const isRest = [...states.values()].some(state => state !== 'confirmed')
  return (
    <div className={`${styles.bar} ${styles.own}`}>
      <Button kind="primary" onClick={open}>
        {claimable.length > TRANSACTIONS_MAX
          ? `Claim the ${isOneToken ? `${TRANSACTIONS_MAX} largest` : `first ${TRANSACTIONS_MAX}`}`
          : isRest
            ? 'Claim the rest'
            : 'Claim all'}
      </Button>
      <p>{plural(Math.min(claimable.length, TRANSACTIONS_MAX), 'transaction')}, signed at once.</p>
    </div>
  )
}

function NotYours({ wallet, network }: { wallet: string; network: Network }) {
  const { networks } = useSite().settings
  const { account } = useWallet()
  if (!account) return null
  const own = account.networks.includes(network) ? network : (account.networks[0] ?? network)
  return (
    <p className={styles.others}>
      <span>
        {account.address === wallet
          ? `The connected account is not for ${networkName(network)}.`
          : `These rewards belong to another wallet. You are connected as ${account.label ?? shorten(account.address)}.`}
      </span>
      <ActAs address={wallet}>Act as this wallet</ActAs>
      <Link href={rewardsHref(account.address, own, networks)}>Your rewards</Link>
    </p>
  )
}
