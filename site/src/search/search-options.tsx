import { ArrowRight, Wallet } from 'lucide-react'
import { type MouseEvent, useEffect, useRef } from 'react'
import { TokenPicture } from '../components/token-picture.tsx'
import { useSite } from '../lib/site-context.ts'
import type { Match, MatchGroup } from './find-matches.ts'
import styles from './search-dialog.module.css'

/** The matches, in groups. The focus stays in the field, which names the active one. */
export function SearchOptions({
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
      <bdi className={styles.title}>{title}</bdi> <bdi className={styles.note}>{note}</bdi>
    </span>
    {network && <span className={styles.network}>{network}</span>}
  </>
)
