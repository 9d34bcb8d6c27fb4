import { Wallet } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { readPending } from '../actions/pending.ts'
import { networkName, shorten } from '../lib/format.ts'
import { useSite } from '../lib/site-context.ts'
import styles from './wallet-button.module.css'
import { openWalletDialog, readRemembered, useWallet, type WalletAccount } from './wallet-store.ts'

const WalletParts = lazy(() => import('./wallet-parts.tsx'))

/** The way to the wallet. Its code is loaded on the first click, or at once for those who have used a wallet here. */
export function WalletButton() {
  const { account, isDialogOpen } = useWallet()
  const { networks } = useSite().settings
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    if (readRemembered() || readPending().length > 0) setWanted(true)
  }, [])
  const network = account && findOtherNetwork(account, networks)
  return (
    <>
      <button
        type="button"
        className={styles.button}
        onClick={openWalletDialog}
        aria-label={
          account
            ? `Wallet: ${account.label ?? account.address}${network ? `, ${network}` : ''}`
            : 'Connect a wallet'
        }
      >
        <Wallet size={18} strokeWidth={1.5} aria-hidden="true" />
        <span className={styles.text}>
          {account ? (account.label ?? shorten(account.address)) : 'Connect'}
        </span>
        {network && <span className={styles.network}>{network}</span>}
      </button>
      {(isWanted || isDialogOpen || account) && (
        <Suspense>
          <WalletParts />
        </Suspense>
      )}
    </>
  )
}

/** The name of the account's network, unless it can act on the one that pages show first. */
function findOtherNetwork(account: WalletAccount, networks: readonly string[]): string | undefined {
  const [network] = account.networks
  if (!network || account.networks.some(one => one === networks[0])) return undefined
  return networkName(network)
}
