import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import styles from './dialog.module.css'

/** A modal dialog; on a phone, a sheet at the bottom. `onClose` is absent while it must not be closed. */
export function Dialog({
  title,
  lead,
  children,
  onClose,
}: {
  title: string
  /** Small print above the title, such as who asks. */
  lead?: ReactNode
  children: ReactNode
  onClose?: (() => void) | undefined
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault()
        onClose?.()
      }}
    >
      <div className={styles.head}>
        <div>
          {lead && <p className={styles.lead}>{lead}</p>}
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
        </div>
        {onClose && (
          <button type="button" className={styles.close} aria-label="Close" onClick={onClose}>
            <X size={18} strokeWidth={1.5} aria-hidden="true" />
          </button>
        )}
      </div>
      {children}
    </dialog>
  )
}

/** The buttons of a dialog. They stay in sight while its content scrolls. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
)
