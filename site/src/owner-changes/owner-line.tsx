import type { Network } from '@slipway/client'
import { type ReactNode, Suspense, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog, DialogActions } from '../components/dialog.tsx'
import { DialogBoundary } from '../components/failure.tsx'
import { networkName, shorten } from '../lib/format.ts'
import { watchTypedWork } from '../lib/load-part.ts'
import { useIsHydrated } from '../lib/now.ts'
import { forgetDraft, hasDialogDraft } from '../lib/use-draft.ts'
import { ActAs } from '../wallet/wallet-button.tsx'
import { openWalletDialog, useWallet, type WalletAccount } from '../wallet/wallet-store.ts'
import styles from './owner-line.module.css'

/** An unobtrusive link for the few readers who may change something. */
export function OwnerLine({
  question,
  action,
  draftName,
  unfinished,
  children,
}: {
  question: string
  action: string
  draftName: string
  /** Shown instead of the question if text was typed and not signed, such as before a reload. */
  unfinished: string
  /** The dialog, which is loaded only when it is opened. */
  children(onClose: () => void): ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  if (!useIsHydrated()) return null
  const isUnfinished = !isOpen && hasDialogDraft(draftName)
  return (
    <>
      <p className={styles.line}>
        {isUnfinished ? unfinished : question}{' '}
        <button type="button" className="text-button" onClick={() => setOpen(true)}>
          {isUnfinished ? 'Continue' : action}
        </button>
      </p>
      {isOpen && (
        <DialogBoundary title={action} onClose={close}>
          <Suspense
            fallback={
              <Dialog title={action} onClose={close}>
                <p role="status">Loading…</p>
              </Dialog>
            }
          >
            {children(close)}
          </Suspense>
        </DialogBoundary>
      )}
    </>
  )
}

interface Gate {
  /** Undefined if it is not known. The service checks it in any case. */
  signer: string | undefined
  /** What the signer is, such as `the owner`. */
  name: string
  /** What they may do, such as `change the card`. */
  right: string
  /** `onCancel` closes, after asking if something is typed. */
  children(account: WalletAccount, onCancel: () => void): ReactNode
}

/** A dialog for the account that may sign a change. It tells others who may. */
export function OwnerDialog({
  title,
  network,
  subject,
  draftName,
  isPending = false,
  onClose,
  ...gate
}: Gate & {
  title: string
  network: Network
  /** What is changed. */
  subject: string
  draftName: string
  /** Whether the signer is still being looked up. */
  isPending?: boolean
  onClose(): void
}) {
  const [isTyped] = useState(watchTypedWork)
  const [isAsking, setAsking] = useState(false)
  const cancel = () => (isTyped() ? setAsking(true) : onClose())
  function discard() {
    // Otherwise, the text would come back, because it is also kept over a reload.
    forgetDraft(draftName)
    onClose()
  }
  return (
    <Dialog title={title} lead={`${networkName(network)} · ${subject}`} onClose={cancel}>
      {isPending ? <p role="status">Looking up {gate.name}…</p> : <OwnerGate {...gate} onCancel={cancel} />}
      {isAsking && <DiscardDialog onDiscard={discard} onKeep={() => setAsking(false)} />}
    </Dialog>
  )
}

const DiscardDialog = ({ onDiscard, onKeep }: { onDiscard(): void; onKeep(): void }) => (
  <Dialog title="Discard your changes?" onClose={onKeep}>
    <p>You haven’t signed your changes. If you discard them, they can’t be recovered.</p>
    <DialogActions>
      <Button kind="primary" onClick={onKeep}>
        Keep editing
      </Button>
      <Button onClick={onDiscard}>Discard</Button>
    </DialogActions>
  </Dialog>
)

function OwnerGate({ signer, name, right, children, onCancel }: Gate & { onCancel(): void }) {
  const { account } = useWallet()
  const who = signer === undefined ? name : `${name}, ${shorten(signer)},`
  if (!account)
    return (
      <div className="stack breakable gap-4 start">
        <p>
          Only {who} can {right}. It takes a signature, and costs nothing.
        </p>
        <Button kind="primary" onClick={openWalletDialog}>
          Connect a wallet
        </Button>
      </div>
    )
  if (signer !== undefined && account.address !== signer)
    return (
      <div className="stack breakable gap-4 start">
        <p>
          Only {who} can {right}. You are connected as {account.label ?? shorten(account.address)}.
        </p>
        <p>
          <ActAs address={signer}>Act as this wallet</ActAs>
        </p>
      </div>
    )
  if (!account.signMessage)
    return (
      <p>
        {account.walletName} signs transactions, but no texts. Connect another wallet to {right}.
      </p>
    )
  return children(account, onCancel)
}
