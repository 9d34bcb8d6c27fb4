import type { ErrorDetail } from '@slipway/client'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { Button } from '../components/button.tsx'
import { DialogActions } from '../components/dialog.tsx'
import { SignedText } from '../components/text.tsx'
import type { WalletAccount } from '../wallet/wallet-store.ts'
import { ChangeList } from './change-list.tsx'
import type { ChangedPart } from './changed-part.ts'
import styles from './sign-change.module.css'
import { type SignedChange, type SignState, useSignChange } from './use-sign-change.ts'

/** All nodes serve a change within a second. */
const SERVED_MS = 1_200

/** The last step of a change that an owner signs: what changes, the exact text, the wallet, and the outcome. */
export function SignChange({
  account,
  parts,
  consequence,
  saved,
  queryKey,
  onInvalid,
  onBack,
  onClose,
  ...signed
}: SignedChange & {
  account: WalletAccount
  /** What changes, for the person to compare. */
  parts: readonly ChangedPart[]
  /** Further effects of the change. */
  consequence?: string | undefined
  /** What to say when it is saved. */
  saved: string
  /** What the page shows of it. */
  queryKey: QueryKey
  /** Called with the faults of the value. Nothing has been signed then. */
  onInvalid(details: readonly ErrorDetail[]): void
  onBack(): void
  onClose(): void
}) {
  const queryClient = useQueryClient()
  const refresh = () => void queryClient.invalidateQueries({ queryKey })
  const { state, again } = useSignChange(signed, account, {
    onSaved() {
      refresh()
      setTimeout(refresh, SERVED_MS)
    },
    onInvalid,
  })
  const { walletName } = account
  return (
    <>
      <div className={styles.body} aria-live="polite">
        {state.kind === 'saved' ? (
          <p className={styles.saved}>{[saved, state.remark].filter(Boolean).join(' ')}</p>
        ) : (
          <>
            {(state.kind === 'review' || state.kind === 'signing') && (
              <>
                <ChangeList parts={parts} />
                {consequence && <p>{consequence}</p>}
              </>
            )}
            <Progress state={state} walletName={walletName} />
          </>
        )}
      </div>
      <DialogActions>
        {state.kind === 'review' && (
          <Button kind="primary" onClick={state.sign}>
            Sign with {walletName}
          </Button>
        )}
        {state.kind === 'failed' && (
          <Button kind="primary" onClick={again}>
            Sign again
          </Button>
        )}
        {state.kind === 'saved' ? (
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <Button disabled={state.kind === 'signing' || state.kind === 'saving'} onClick={onBack}>
            Back
          </Button>
        )}
      </DialogActions>
    </>
  )
}

/** The buttons of the form before it. */
export const ReviewActions = ({ onCancel }: { onCancel(): void }) => (
  <DialogActions>
    <Button kind="primary" type="submit">
      Review the text to sign
    </Button>
    <Button onClick={onCancel}>Cancel</Button>
  </DialogActions>
)

const DIGEST = /^sha256: /m

function Progress({
  state,
  walletName,
}: {
  state: Exclude<SignState, { kind: 'saved' }>
  walletName: string
}) {
  switch (state.kind) {
    case 'checking':
      return <p>Checking it with the service…</p>
    case 'review':
    case 'signing':
      return (
        <>
          <p>
            {state.kind === 'review'
              ? `Your wallet signs exactly this text. It moves no funds and costs nothing.${DIGEST.test(state.text) ? ' The sha256 is a fingerprint of the change above.' : ''}`
              : `Waiting for ${walletName} to sign…`}
          </p>
          <SignedText text={state.text} />
        </>
      )
    case 'saving':
      return <p>Signed. The service compares the signer with the chain…</p>
    case 'failed':
      return (
        <p role="alert" className="failure">
          {state.text}
        </p>
      )
  }
}
