import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { CloseButton } from './close-button.tsx'
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
  const isLeaving = useRef(false)
  const id = useId()
  // A layout effect is cleaned up while the element is still there. Only then does the browser give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current as HTMLDialogElement
    element.showModal()
    // The browser would choose the close button. From the dialog itself, screen readers start with its title.
    element.focus()
    isLeaving.current = false
    return () => {
      isLeaving.current = true
      element.close()
      focusDialogBelow()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      tabIndex={-1}
      aria-labelledby={id}
      onCancel={event => {
        event.preventDefault()
        onClose?.()
      }}
      // A second Escape in a row closes it, whatever the page says.
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected || currentTarget.open || isLeaving.current) return
        currentTarget.showModal()
      }}
    >
      <div className={styles.head}>
        <div className={styles.titles}>
          {lead && <p className={styles.lead}>{lead}</p>}
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
        </div>
        {onClose && <CloseButton label="Close" onClick={onClose} />}
      </div>
      {children}
    </dialog>
  )
}

/** The button that opened a dialog from another one may be gone by now. */
function focusDialogBelow(): void {
  if (document.activeElement !== document.body) return
  const open = document.querySelectorAll<HTMLDialogElement>('dialog[open]')
  open.item(open.length - 1)?.focus()
}

/** The buttons of a dialog. They stay in sight while its content scrolls. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
)
