import { type MouseEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import { buttonClass } from '../../components/button.tsx'
import { formatCount } from '../../lib/format.ts'
import type { LaunchRows } from '../../lib/launch-rows.ts'
import { directoryHref, type LaunchFilter } from '../../lib/launches.ts'
import { ROWS_PER_PAGE } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './directory.module.css'
import { prepareRows } from './launch-list.tsx'
import { useMoreRows } from './use-more-rows.ts'

/**
 * Rows follow by themselves until there are this many more. After that, the reader decides, and can reach the end of
 * the page.
 */
const AUTOMATIC_ROWS = 200
/** How far below the screen the end of the list may be. */
const NEAR = '600px 0px'

/** The way to further launches: a link to the next page, which with script adds them to this one. */
export function ShowMore({
  filter,
  rows,
  total,
  list,
}: {
  filter: LaunchFilter
  rows: LaunchRows
  total: number
  list: RefObject<HTMLElement | null>
}) {
  const { settings, basePath } = useSite()
  const { state, loadCount, load } = useMoreRows(filter)
  const [automaticMax, setAutomaticMax] = useState(AUTOMATIC_ROWS)
  const link = useRef<HTMLAnchorElement>(null)
  const count = rows.launches.length
  const isAutomatic = rows.next !== null && count < automaticMax && state === 'idle'

  const loadNear = useEffectEvent(() => void load(automaticMax))
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each page, the end may still be near.
  useEffect(() => {
    if (!isAutomatic || !link.current) return undefined
    // A busy browser reports several changes at once. The last one counts.
    const observer = new IntersectionObserver(entries => entries.at(-1)?.isIntersecting && loadNear(), {
      rootMargin: NEAR,
    })
    observer.observe(link.current)
    return () => observer.disconnect()
  }, [isAutomatic, count, loadCount])

  async function show(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    setAutomaticMax(count + AUTOMATIC_ROWS)
    const [isLoaded] = await Promise.all([load(), prepareRows(count + ROWS_PER_PAGE)])
    // Keyboard users continue where the new rows begin.
    if (isLoaded) focusRow(list, count + 1)
  }
  if (rows.next === null) return null
  return (
    <div className={styles.more}>
      <p role="status">
        {state === 'failed'
          ? 'Further launches could not be loaded.'
          : `${formatCount(count)} of ${formatCount(total)} launches shown`}
      </p>
      {/* A plain link: the router would replace this page. */}
      <a
        ref={link}
        rel="next"
        className={buttonClass('quiet')}
        href={basePath + directoryHref({ ...filter, cursor: rows.next }, settings.networks)}
        onClick={event => void show(event)}
        aria-disabled={state === 'loading'}
      >
        {state === 'loading' ? 'Loading…' : state === 'failed' ? 'Try again' : 'Show more'}
      </a>
    </div>
  )
}

/** Rows are drawn a few frames after they were loaded. */
const FRAMES_MAX = 60

function focusRow(list: RefObject<HTMLElement | null>, place: number, frames = FRAMES_MAX) {
  const row = list.current?.querySelector<HTMLElement>(`[aria-posinset="${place}"] a`)
  if (row) row.focus({ preventScroll: true })
  else if (frames > 0) requestAnimationFrame(() => focusRow(list, place, frames - 1))
}
