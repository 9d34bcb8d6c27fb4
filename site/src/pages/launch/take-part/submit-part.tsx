import type { ReactNode } from 'react'
import { Button } from '../../../components/button.tsx'
import styles from './take-part.module.css'

/** The button of a form, with the reason if nothing is possible now. It stays in view while the form is longer than the window. */
export function SubmitPart({
  id,
  reason,
  isConnected,
  isPrimary,
  children,
}: {
  id: string
  reason: string | undefined
  isConnected: boolean
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
          aria-disabled={isConnected && reason !== undefined}
          aria-describedby={reason ? id : undefined}
        >
          {isConnected ? children : 'Connect a wallet'}
        </Button>
      </div>
    </>
  )
}
