import { type ReactNode, Suspense, useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { DialogBoundary } from '../components/failure.tsx'
import { useIsHydrated } from '../lib/now.ts'
import styles from './owner-line.module.css'

/** A quiet way for those who may change something, among the many who only read it. */
export function OwnerLine({
  question,
  action,
  children,
}: {
  question: string
  action: string
  /** The dialog, which is loaded only when it is opened. */
  children(onClose: () => void): ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  if (!useIsHydrated()) return null
  return (
    <>
      <p className={styles.line}>
        {question}{' '}
        <button type="button" className="text-button" onClick={() => setOpen(true)}>
          {action}
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
