import { Search } from 'lucide-react'
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'wouter'
import { Button, CloseButton } from '../components/button.tsx'
import { plural } from '../lib/format.ts'
import { isLimited } from '../lib/outage.ts'
import type { Match, Matches } from './find-matches.ts'
import styles from './search-dialog.module.css'
import { SearchOptions } from './search-options.tsx'
import { LENGTH_MIN, useSearchResults } from './use-search.ts'

const TEXT_LENGTH_MAX = 200

/** One field for everything: launches, agents, wallets and mints, on all networks. */
export default function SearchDialog({ onClose }: { onClose(): void }) {
  const [, navigate] = useLocation()
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const [active, setActive] = useState(0)
  /** Enter was pressed before the matches were there. */
  const [isWaiting, setWaiting] = useState(false)
  const { matches, isCurrent, error, retry, text: searched } = useSearchResults(text)
  const options = matches?.groups.flatMap(group => group.matches) ?? []
  const at = Math.min(active, options.length - 1)
  const id = useId()

  useLayoutEffect(() => {
    const element = dialog.current as HTMLDialogElement
    element.showModal()
    return () => element.close()
  }, [])

  function open(match: Match | undefined) {
    if (!match) return
    onClose()
    navigate(match.href)
  }
  const openFirst = useEffectEvent(() => {
    setWaiting(false)
    open(options[0])
  })
  useEffect(() => {
    if (isWaiting && isCurrent) openFirst()
  }, [isWaiting, isCurrent])

  function change(value: string) {
    setText(value)
    setActive(0)
    setWaiting(false)
  }
  function press(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      if (isCurrent) open(options[at])
      else setWaiting(text.trim().length >= LENGTH_MIN)
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || options.length === 0) return
    event.preventDefault()
    setActive((at + step + options.length) % options.length)
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard closes it with Escape.
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-label="Search"
      onCancel={onClose}
      onClose={onClose}
      onClick={event => event.target === event.currentTarget && onClose()}
    >
      <div className={styles.field}>
        <Search size={20} strokeWidth={1.5} aria-hidden="true" />
        <input
          type="text"
          role="combobox"
          inputMode="search"
          enterKeyHint="go"
          value={text}
          maxLength={TEXT_LENGTH_MAX}
          placeholder="Name, symbol or address"
          aria-label="Search launches, agents, wallets and mints"
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={`${id}-options`}
          aria-activedescendant={options.length > 0 ? `${id}-${at}` : undefined}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck="false"
          autoFocus
          onChange={event => change(event.target.value)}
          onKeyDown={press}
        />
        <CloseButton label="Close the search" onClick={onClose} />
      </div>
      <SearchOptions
        id={id}
        groups={matches?.groups ?? []}
        active={at}
        isStale={!isCurrent}
        onPoint={setActive}
        onOpen={open}
      />
      <State {...{ text: text.trim(), searched, matches, isCurrent, error, retry }} />
    </dialog>
  )
}

/** What there is to say besides the matches. Screen readers announce it. */
function State({
  text,
  searched,
  matches,
  isCurrent,
  error,
  retry,
}: {
  text: string
  searched: string
  matches: Matches | undefined
  isCurrent: boolean
  error: unknown
  retry(): void
}) {
  if (error)
    return (
      <div role="alert" className={styles.state}>
        <p>
          {isLimited(error)
            ? 'Too many requests from your internet connection. Wait a few seconds, then try again.'
            : 'The service could not be reached. Check your connection, then try again.'}
        </p>
        <Button onClick={retry}>Try again</Button>
      </div>
    )
  const count = matches?.groups.reduce((sum, group) => sum + group.matches.length, 0) ?? 0
  return (
    <div
      role="status"
      className={count > 0 && isCurrent && matches?.failed.length === 0 ? 'unseen' : styles.state}
    >
      {describe()}
    </div>
  )

  function describe() {
    if (text.length < LENGTH_MIN)
      return (
        <p>Search launches, agents, wallets and mints on all networks. Paste an address to open its page.</p>
      )
    if (!isCurrent) return count > 0 ? null : <p>Searching…</p>
    if (count === 0)
      return (
        <>
          <p>
            <b>
              Nothing matches <bdi>“{searched}”</bdi>
            </b>
          </p>
          <p>
            Small typos are fine. Try a shorter word, or the first characters of a launch’s or a mint’s
            address.
          </p>
        </>
      )
    return (
      <p>
        {matches?.failed.length
          ? `Some results are missing. Not searched: ${matches.failed.join(', ')}.`
          : plural(count, 'result')}
      </p>
    )
  }
}
