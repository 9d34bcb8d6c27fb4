import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { CloseButton } from './button.tsx'
import styles from './dialog.module.css'

/**
 * A modal dialog; on a phone, a sheet at the bottom, which hides the sheets below it. `onClose` is absent while it must
 * not be closed.
 */
export function Dialog({
  title,
  lead,
  place,
  children,
  onClose,
}: {
  title: string
  /** Small print above the title, such as who asks. */
  lead?: ReactNode
  /** `corner`: where browsers show the windows of wallets. */
  place?: 'corner'
  children: ReactNode
  onClose?: (() => void) | undefined
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isLeaving = useRef(false)
  const id = useId()
  const askToClose = useEffectEvent(() => onClose?.())
  // A layout effect is cleaned up while the element is still there. Only then does the browser give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current as HTMLDialogElement
    element.showModal()
    // The browser would choose the close button. From the dialog itself, screen readers start with its title.
    element.focus()
    isLeaving.current = false
    const stopListening = onEscape(element, askToClose)
    return () => {
      isLeaving.current = true
      stopListening()
      element.close()
      focusTopDialog()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-place={place}
      tabIndex={-1}
      aria-labelledby={id}
      // On a phone, going back.
      onCancel={event => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onClose?.()
      }}
      // Browsers close it at the second such request in a row, whatever the page says.
      onClose={({ target, currentTarget }) => {
        if (target !== currentTarget || currentTarget.open || isLeaving.current) return
        currentTarget.showModal()
      }}
    >
      <div className={styles.head}>
        <div className="shrinks">
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

const openDialogs: HTMLDialogElement[] = []

/**
 * Calls back at every Escape while the dialog is the topmost one. The browser asks the page only once, and then
 * closes the dialog and discards its input.
 */
function onEscape(dialog: HTMLDialogElement, callback: () => void): () => void {
  openDialogs.push(dialog)
  markCovered()
  const listener = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || openDialogs.at(-1) !== dialog) return
    // Dialogs below it must not react, although one of them may be the topmost by the time their listeners run.
    event.stopImmediatePropagation()
    if (event.defaultPrevented) return
    event.preventDefault()
    callback()
  }
  document.addEventListener('keydown', listener)
  return () => {
    document.removeEventListener('keydown', listener)
    openDialogs.splice(openDialogs.indexOf(dialog), 1)
    markCovered()
  }
}

/** All but the topmost. */
function markCovered(): void {
  for (const [at, dialog] of openDialogs.entries())
    dialog.toggleAttribute('data-covered', at < openDialogs.length - 1)
}

/** Takes a lost focus back: the element that had it may be gone, such as a button that opened another dialog. */
export function focusTopDialog(): void {
  if (document.activeElement !== document.body) return
  const open = document.querySelectorAll<HTMLDialogElement>('dialog[open]')
  open.item(open.length - 1)?.focus()
}

/** The buttons of a dialog. They stay in sight while its content scrolls. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
)
