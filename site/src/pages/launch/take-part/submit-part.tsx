import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import styles from './take-part.module.css'
import type { Taking } from './taking.ts'

/** The button of a form, with the reason if nothing is possible now. It stays in view while the form is longer than the window. */
export function SubmitPart({
  id,
  reason,
  taking: { account, connect },
  isPrimary,
  children,
}: {
  id: string
  reason: string | undefined
  taking: Pick<Taking, 'account' | 'connect'>
  isPrimary: boolean
  children: ReactNode
}) {
  return (
    <>
      {reason && (
        <p id={id} className={styles.reason} role="status">
          {reason}
        </p>
      )}
      <div className={styles.submit}>
        <Button
          kind={isPrimary ? 'primary' : 'quiet'}
          type="submit"
          aria-disabled={account !== undefined && reason !== undefined}
          aria-describedby={reason ? id : undefined}
        >
          {account ? children : connect}
        </Button>
      </div>
    </>
  )
}
