import type { Network } from '@slipway/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowRight, Search, Wallet } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useLocation } from 'wouter'
import { Button, CloseButton } from '../components/button.tsx'
import { TokenPicture } from '../components/token-picture.tsx'
import { isLimited } from '../lib/connection.ts'
import { plural } from '../lib/format.ts'
import { queryKeys } from '../lib/query-keys.ts'
import { useSite } from '../lib/site-context.ts'
import { findAddress, findMatches, type Match, type Matches, type MatchGroup } from './find-matches.ts'
import styles from './search-dialog.module.css'

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

/** The matches, in groups. The focus stays in the field, which names the active one. */
function SearchOptions({
  id,
  groups,
  active,
  isStale,
  onPoint,
  onOpen,
}: {
  id: string
  groups: readonly MatchGroup[]
  active: number
  /** Whether these are the matches of the previous text. */
  isStale: boolean
  onPoint(at: number): void
  onOpen(match: Match): void
}) {
  const { basePath } = useSite()
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the active one stays in sight.
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, groups])

  function click(event: MouseEvent, match: Match) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onOpen(match)
  }
  const starts = groups.map((_, group) =>
    groups.slice(0, group).reduce((sum, { matches }) => sum + matches.length, 0),
  )
  return (
    <div
      ref={list}
      id={`${id}-options`}
      role="listbox"
      aria-label="Results"
      aria-busy={isStale}
      tabIndex={-1}
      className={isStale ? `${styles.options} ${styles.stale}` : styles.options}
    >
      {groups.map(({ name, matches }, group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be part of a listbox.
        <div key={name} role="group" aria-labelledby={`${id}-${name}`} className={styles.group}>
          <p id={`${id}-${name}`} role="presentation" className={styles.name}>
            {name}
          </p>
          {matches.map((match, index) => {
            const at = (starts[group] ?? 0) + index
            return (
              <a
                key={match.href + match.note}
                id={`${id}-${at}`}
                role="option"
                aria-selected={at === active}
                tabIndex={-1}
                href={basePath + match.href}
                className={styles.option}
                onClick={event => click(event, match)}
                onPointerMove={() => at !== active && onPoint(at)}
              >
                <Option match={match} />
              </a>
            )
          })}
        </div>
      ))}
    </div>
  )
}

const Option = ({ match: { title, note, network, picture } }: { match: Match }) => (
  <>
    {picture ? (
      <TokenPicture image={picture.image} name={title} address={picture.address} size={24} />
    ) : (
      <span className={styles.icon}>
        {note.startsWith('In ') ? (
          <ArrowRight size={18} strokeWidth={1.5} aria-hidden="true" />
        ) : (
          <Wallet size={18} strokeWidth={1.5} aria-hidden="true" />
        )}
      </span>
    )}
    <span className={styles.what}>
      <bdi className={styles.title}>{title}</bdi> <bdi className="small faint">{note}</bdi>
    </span>
    {network && <span className="small faint rigid">{network}</span>}
  </>
)

/** A search begins when no key has been pressed for this long. */
const PAUSE_MS = 150
/** One letter matches too much to help. */
const LENGTH_MIN = 2
const KEPT_MS = 60_000

/** The matches of a text. A search is aborted when the next one replaces it. */
function useSearchResults(typed: string) {
  const { slipway, settings } = useSite()
  const text = usePaused(typed.trim())
  const isSearched = text.length >= LENGTH_MIN
  const query = useQuery({
    queryKey: queryKeys.search(text),
    queryFn: ({ signal }) => findMatches({ slipway, networks: settings.networks as Network[], signal }, text),
    enabled: isSearched,
    placeholderData: keepPreviousData,
    staleTime: KEPT_MS,
    gcTime: KEPT_MS,
    // The reader is waiting, and can try again.
    retry: false,
  })
  const isCurrent = text === typed.trim()
  return {
    text,
    matches: isSearched ? query.data : undefined,
    /** Whether `matches` are those of the current text. */
    isCurrent: isCurrent && !query.isPlaceholderData && !query.isFetching,
    error: isCurrent && isSearched && query.isError ? query.error : undefined,
    retry: () => void query.refetch(),
  }
}

/** The text at the last pause. Pasted text does not wait. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  const isWhole = findAddress(text) !== undefined
  useEffect(() => {
    if (isWhole) return setPaused(text)
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, isWhole])
  return paused
}
