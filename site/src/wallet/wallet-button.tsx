import { Wallet } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { readPending } from '../actions/pending.ts'
import { shorten } from '../lib/format.ts'
import styles from './wallet-button.module.css'
import { openWalletDialog, readRemembered, useWallet } from './wallet-store.ts'

const WalletParts = lazy(() => import('./wallet-parts.tsx'))

/** The way to the wallet. Its code is loaded on the first click, or at once for those who have used a wallet here. */
export function WalletButton() {
  const { account, isDialogOpen } = useWallet()
  const [isWanted, setWanted] = useState(false)
  useEffect(() => {
    if (readRemembered() || readPending().length > 0) setWanted(true)
  }, [])
  return (
    <>
      <button
        type="button"
        className={styles.button}
        onClick={openWalletDialog}
        aria-label={account ? `Wallet: ${account.label ?? account.address}` : 'Connect a wallet'}
      >
        <Wallet size={18} strokeWidth={1.5} aria-hidden="true" />
        <span className={styles.text}>
          {account ? (account.label ?? shorten(account.address)) : 'Connect'}
        </span>
      </button>
      {(isWanted || isDialogOpen || account) && (
        <Suspense>
          <WalletParts />
        </Suspense>
      )}
    </>
  )
}
