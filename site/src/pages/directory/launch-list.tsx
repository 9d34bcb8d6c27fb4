import type { LaunchData, Network } from '@slipway/client'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { ArrowUp } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { plural } from '../../lib/format.ts'
import { useIsHydrated } from '../../lib/now.ts'
import styles from './launch-list.module.css'
import { LaunchRow } from './launch-row.tsx'
import { useHeldOrder } from './use-held-order.ts'

const ROW_HEIGHT = 72
const ROW_HEIGHT_PHONE = 100
const PHONE = '(max-width: 44rem)'

/** Every launch, of which only those in view are in the document. The server writes the first ones as a plain list. */
export function LaunchList({
  rows,
  network,
  isComplete,
}: {
  rows: readonly LaunchData[]
  network: Network
  isComplete: boolean
}) {
  const isHydrated = useIsHydrated()
  const list = useRef<HTMLUListElement>(null)
  const { shown, waitingCount, release } = useHeldOrder(rows, list)
  return (
    <div className={styles.table}>
      <div className={styles.columns} aria-hidden="true">
        <span>Launch</span>
        <span>Status</span>
        <span>Raised or price</span>
        <span className={styles.spark}>24 h</span>
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
      {isHydrated && isComplete ? (
        <VirtualRows rows={shown} network={network} list={list} />
      ) : (
        <ul ref={list} className={styles.rows}>
          {rows.map(data => (
            <li key={data.launch.genesisAddress} className={styles.item}>
              <LaunchRow data={data} network={network} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function VirtualRows({
  rows,
  network,
  list,
}: {
  rows: readonly LaunchData[]
  network: Network
  list: React.RefObject<HTMLUListElement | null>
}) {
  const rowHeight = useRowHeight()
  const [top, setTop] = useState(0)
  // What is above the list may change its height.
  useLayoutEffect(() => {
    const update = () => setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
    update()
    const observer = new ResizeObserver(update)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  // New functions would make it measure every row again.
  const estimateSize = useCallback(() => rowHeight, [rowHeight])
  const getItemKey = useCallback((at: number) => rows[at]?.launch.genesisAddress ?? at, [rows])
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize,
    getItemKey,
    overscan: 4,
    scrollMargin: top,
    useFlushSync: false,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another height changes the place of every row.
  useEffect(() => virtualizer.measure(), [rowHeight, virtualizer])
  return (
    <ul ref={list} className={styles.virtual} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const data = rows[index]
        return (
          data && (
            <li
              key={key}
              className={styles.item}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <LaunchRow data={data} network={network} />
            </li>
          )
        )
      })}
    </ul>
  )
}

function useRowHeight(): number {
  const [isPhone, setPhone] = useState(() => matchMedia(PHONE).matches)
  useEffect(() => {
    const media = matchMedia(PHONE)
    const update = () => setPhone(media.matches)
    media.addEventListener('change', update)
    return () => media.removeEventListener('change', update)
  }, [])
  return isPhone ? ROW_HEIGHT_PHONE : ROW_HEIGHT
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
