import type { LaunchData, LaunchFigures, Network } from '@slipway/client'
import { ArrowUp } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Skeleton } from '../../components/notice.tsx'
import { plural } from '../../lib/format.ts'
import { createPart } from '../../lib/load-part.ts'
import styles from './launch-list.module.css'
import { LaunchRow } from './launch-row.tsx'
import { useHeldOrder, useRise } from './use-held-order.ts'

/**
 * Up to here all rows are in the document, so that the browser's own search finds them. Rows are loaded until there
 * are 200, and a few more may arrive above.
 */
const PLAIN_ROWS_MAX = 240
const virtualRows = createPart(() => import('./virtual-rows.tsx'))

/** Loads what a list with this many rows needs, so that it doesn't have to be drawn twice. */
export async function prepareRows(count: number): Promise<void> {
  if (count > PLAIN_ROWS_MAX) await virtualRows.load().catch(() => {})
}

interface Rows {
  rows: readonly LaunchData[]
  /** Matching launches, loaded or not. */
  total: number
  network: Network
  /** By address. */
  figures: Record<string, LaunchFigures>
  list: RefObject<HTMLUListElement | null>
}

/** The loaded launches. An active launch rises, unless the reader is busy with the list. */
export function LaunchList({
  rows,
  name,
  isPrevious,
  ...rest
}: Rows & {
  /** Tells lists apart. */
  name: string
  /** Whether another list is on its way. */
  isPrevious: boolean
}) {
  const { shown, waitingCount, release } = useHeldOrder(rows, rest.list, name)
  const virtual = useVirtualRows(shown.length > PLAIN_ROWS_MAX)
  return (
    <div className={isPrevious ? `${styles.table} ${styles.previous}` : styles.table} aria-busy={isPrevious}>
      <div className={styles.columns} aria-hidden="true">
        <span>Launch</span>
        <span>Status</span>
        <span className={styles.figure}>Raised</span>
        <span className={styles.figure}>Price</span>
        <span className={styles.spark}>Trend, 24 h</span>
        <span>Activity</span>
      </div>
      {waitingCount > 0 && (
        <div className={styles.waiting}>
          <Button onClick={release}>
            <ArrowUp size={16} strokeWidth={1.5} aria-hidden="true" />
            {plural(waitingCount, 'launch', 'launches')} moved
          </Button>
        </div>
      )}
      {virtual ? (
        <virtual.VirtualRows rows={shown} scrollY={window.scrollY} {...rest} />
      ) : (
        <PlainRows rows={shown} {...rest} />
      )}
    </div>
  )
}

/** Undefined until it is needed and loaded. Without it, the page is slower, but complete. */
function useVirtualRows(isNeeded: boolean) {
  const [, redraw] = useState(0)
  const loaded = isNeeded ? virtualRows.loaded : undefined
  // It may have been loaded since this was drawn.
  const isMissing = isNeeded && !loaded
  useEffect(() => {
    if (isMissing)
      virtualRows.load().then(
        () => redraw(count => count + 1),
        () => {},
      )
  }, [isMissing])
  return loaded
}

function PlainRows({ rows, total, network, figures, list }: Rows) {
  useRise(list, rows)
  return (
    <ul ref={list} className={styles.rows}>
      {rows.map((data, at) => (
        <li
          key={data.launch.genesisAddress}
          className={styles.item}
          aria-setsize={total}
          aria-posinset={at + 1}
        >
          <LaunchRow data={data} network={network} figures={figures[data.launch.genesisAddress]} />
        </li>
      ))}
    </ul>
  )
}

const SKELETON_ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

export function LaunchListSkeleton() {
  return (
    <div className={styles.table} role="status" aria-label="Loading launches">
      <ul className={styles.rows}>
        {SKELETON_ROWS.map(row => (
          <li key={row} className={`${styles.item} ${styles.placeholder}`}>
            <span className={styles.picture} />
            <span>
              <Skeleton />
              <Skeleton shape="short" />
            </span>
            <Skeleton shape="short" />
          </li>
        ))}
      </ul>
    </div>
  )
}
