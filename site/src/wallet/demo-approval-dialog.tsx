import type { ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog, DialogActions } from '../components/dialog.tsx'
import { Facts } from '../components/layout.tsx'
import { SignedText } from '../components/text.tsx'
import { plural } from '../lib/format.ts'
import styles from './demo-approval.module.css'
import { usePendingApproval } from './demo-approval.ts'

/** Replaces a wallet's own window: the demo wallet asks before it signs. */
export function DemoApproval() {
  const pending = usePendingApproval()
  if (!pending) return null
  const { request, moved, answer } = pending
  return (
    <Dialog
      place="corner"
      lead="Demo wallet"
      title={'text' in request ? 'Sign this text?' : `Sign ${plural(request.transactions, 'transaction')}?`}
      onClose={() => answer(false)}
    >
      <p className={styles.who}>
        You sign as <bdi>{request.account}</bdi>.
      </p>
      {'text' in request ? (
        <SignedText text={request.text} />
      ) : (
        <>
          <Facts
            facts={moved.map(({ label, amount }): [string, ReactNode] => [
              label,
              <bdi key={label}>{amount}</bdi>,
            ])}
          />
          {moved.map(
            ({ label, note, isDoubtful }) =>
              isDoubtful && (
                <p key={label} role="alert">
                  <bdi>{note}</bdi>
                </p>
              ),
          )}
        </>
      )}
      <DialogActions>
        <Button kind="primary" onClick={() => answer(true)}>
          Approve
        </Button>
        <Button onClick={() => answer(false)}>Reject</Button>
      </DialogActions>
    </Dialog>
  )
}
