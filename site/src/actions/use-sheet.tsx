import { type ReactNode, Suspense, useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { DialogBoundary } from '../components/failure.tsx'
import { lazyPart } from '../lib/load-part.ts'
import { openWalletDialog, useWallet, type WalletAccount } from '../wallet/wallet-store.ts'
import type { Action } from './action.ts'

const ActionSheet = lazyPart(() => import('./action-sheet.tsx'))

/** Opens an action's sheet; without a wallet, the wallet's dialog first. Render `sheet` somewhere. */
export function useActionSheet(): { open(action: Action): void; sheet: ReactNode } {
  const { account } = useWallet()
  const [shown, setShown] = useState<{ action: Action; account: WalletAccount }>()
  const close = () => setShown(undefined)
  return {
    open: action => (account ? setShown({ action, account }) : openWalletDialog()),
    sheet: shown && (
      <DialogBoundary title={shown.action.title} onClose={close}>
        <Suspense
          fallback={
            <Dialog title={shown.action.title} onClose={close}>
              <p>Building and checking the transaction…</p>
            </Dialog>
          }
        >
          <ActionSheet {...shown} onClose={close} />
        </Suspense>
      </DialogBoundary>
    ),
  }
}
