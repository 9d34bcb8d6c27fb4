import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { plural } from '../lib/format.ts'
import styles from './demo-approval.module.css'
import { usePendingApproval } from './demo-approval.ts'

/** What a wallet's own window would be: the demo wallet asks before it signs. */
export function DemoApproval() {
  const pending = usePendingApproval()
  if (!pending) return null
  const { request, answer } = pending
  return (
    <Dialog
      lead="Demo wallet"
      title={'text' in request ? 'Sign this text?' : `Sign ${plural(request.transactions, 'transaction')}?`}
      onClose={() => answer(false)}
    >
      <p>
        You sign as <bdi className={styles.account}>{request.account}</bdi>.
      </p>
      {'text' in request && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
        <pre className={styles.message} tabIndex={0}>
          {request.text}
        </pre>
      )}
      <div className={styles.actions}>
        <Button kind="primary" onClick={() => answer(true)}>
          Sign
        </Button>
        <Button onClick={() => answer(false)}>Reject</Button>
      </div>
    </Dialog>
  )
}
