import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import styles from './take-part.module.css'
import type { Taking } from './taking.ts'

/** The button of a form, with the reason if nothing is possible now. It stays in view while the form is longer than the window. */
export function SubmitPart({
  id,
  reason,
  lack,
  taking: { account, connect },
  isPrimary,
  children,
}: {
  id: string
  reason: string | undefined
  /** What the wallet has too little of. It is no warning: selling everything ends like this. */
  lack?: string | undefined
  taking: Pick<Taking, 'account' | 'connect'>
  isPrimary: boolean
  children: ReactNode
}) {
  const why = reason ?? lack
  return (
    <>
      {why && (
        <p id={id} className={reason ? styles.reason : styles.note} role="status">
          {why}
        </p>
      )}
      <div className={styles.submit}>
        <Button
          kind={isPrimary && !lack ? 'primary' : 'quiet'}
          type="submit"
          aria-disabled={account !== undefined && why !== undefined}
          aria-describedby={why ? id : undefined}
        >
          {account ? children : connect}
        </Button>
      </div>
    </>
  )
}
