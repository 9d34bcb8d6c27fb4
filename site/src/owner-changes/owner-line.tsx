import { type ReactNode, Suspense, useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { DialogBoundary } from '../components/failure.tsx'
import { useIsHydrated } from '../lib/now.ts'
import { hasDialogDraft } from '../lib/use-draft.ts'
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
