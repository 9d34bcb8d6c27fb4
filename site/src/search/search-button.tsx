import { Search } from 'lucide-react'
import { Suspense, useEffect, useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { DialogBoundary } from '../components/failure.tsx'
import { lazyPart } from '../lib/load-part.ts'
import { useSite } from '../lib/site-context.ts'
import styles from './search-button.module.css'

const SearchDialog = lazyPart(() => import('./search-dialog.tsx'))

/** The way to the search, on every page: a button, `/`, or Ctrl-K. Its code is loaded when it is first opened. */
export function SearchButton() {
  const { basePath } = useSite()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    function open(event: KeyboardEvent) {
      // Another dialog may be open, and would lie below.
      if (!isShortcut(event) || document.querySelector('dialog[open]')) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', open)
    return () => document.removeEventListener('keydown', open)
  }, [])
  const close = () => setOpen(false)
  return (
    <>
      <button
        type="button"
        className={styles.button}
        onClick={() => setOpen(true)}
        aria-label="Search"
        aria-keyshortcuts="/ Control+K Meta+K"
      >
        <Search size={18} strokeWidth={1.5} aria-hidden="true" />
        <span className={styles.text}>Search</span>
        <kbd className={styles.key}>/</kbd>
      </button>
      {/* Without script, launches can be searched. */}
      <search className={styles.plain}>
        <form action={`${basePath}/`}>
          <label>
            <span className="unseen">Search launches by name, symbol or address</span>
            <Search size={16} strokeWidth={1.5} aria-hidden="true" />
            <input type="search" name="q" maxLength={64} placeholder="Find a launch" autoComplete="off" />
          </label>
        </form>
      </search>
      {isOpen && (
        <DialogBoundary title="Search" onClose={close}>
          <Suspense
            fallback={
              <Dialog title="Search" onClose={close}>
                <p role="status">Loading the search…</p>
              </Dialog>
            }
          >
            <SearchDialog onClose={close} />
          </Suspense>
        </DialogBoundary>
      )}
    </>
  )
}

function isShortcut({ key, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent): boolean {
  if (altKey) return false
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' && !shiftKey
  const isTyping = target instanceof Element && target.closest('input, textarea, select, [contenteditable]')
  return key === '/' && !isTyping
}
