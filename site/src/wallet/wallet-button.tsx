import { Wallet } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { readPending } from '../actions/pending.ts'
import { Dialog } from '../components/dialog.tsx'
import { ErrorBoundary, FailedDialog } from '../components/failure.tsx'
import { networkName, shorten } from '../lib/format.ts'
import { lazyPart } from '../lib/load-part.ts'
import { useSite } from '../lib/site-context.ts'
import styles from './wallet-button.module.css'
import {
  chooseAccount,
  closeWalletDialog,
  openWalletDialog,
  readRemembered,
  useWallet,
  type WalletAccount,
} from './wallet-store.ts'

const WalletParts = lazyPart(() => import('./wallet-parts.tsx'))

/** Opens the wallet. Its code is loaded on the first click, or at once for readers who have used a wallet here. */
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
        data-connected={account && ''}
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
        <WalletBoundary isDialogOpen={isDialogOpen}>
          <Suspense fallback={isDialogOpen && <WalletLoading />}>
            <WalletParts />
          </Suspense>
        </WalletBoundary>
      )}
    </>
  )
}

const WalletLoading = () => (
  <Dialog title="Connect a wallet" onClose={closeWalletDialog}>
    <p role="status">Looking for wallets…</p>
  </Dialog>
)

/** A failure is shown when someone opens the wallet. */
const WalletBoundary = ({ isDialogOpen, children }: { isDialogOpen: boolean; children: ReactNode }) => (
  <ErrorBoundary
    fallback={(error, retry) =>
      isDialogOpen && <FailedDialog title="Wallet" {...{ error, retry }} onClose={closeWalletDialog} />
    }
  >
    {children}
  </ErrorBoundary>
)

/** The name of the account's network, unless it can act on the one that pages show first. */
function findOtherNetwork(account: WalletAccount, networks: readonly string[]): string | undefined {
  const [network] = account.networks
  if (!network || account.networks.some(one => one === networks[0])) return undefined
  return networkName(network)
}

/** A button that lets another account of the connected wallet act. Nothing if the wallet does not have it. */
export function ActAs({ address, children }: { address: string; children: ReactNode }) {
  const { accounts } = useWallet()
  if (!accounts.some(account => account.address === address)) return null
  return (
    <button type="button" className="text-button" onClick={() => chooseAccount(address)}>
      {children}
    </button>
  )
}
