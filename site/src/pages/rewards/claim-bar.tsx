import type { CreatorRewards, Network } from '@slipway/client'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { networkName, plural, shorten } from '../../lib/format.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { useSite } from '../../lib/site-context.ts'
import { TRANSACTIONS_MAX } from '../../transactions/intent.ts'
import { ActAs } from '../../wallet/act-as.tsx'
import { openWalletDialog, useWallet } from '../../wallet/wallet-store.ts'
import styles from './claim-bar.module.css'
import { rewardsHref } from './rewards-href.ts'
import type { Claim } from './use-claim.ts'

/** The main button of the page, for wallets that can claim. */
export function ClaimBar({
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
