import type { LaunchData, LaunchFigures, Network } from '@slipway/client'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useState } from 'react'
import styles from './launch-list.module.css'
import { LaunchRow } from './launch-row.tsx'

const ROW_HEIGHT = 72
const ROW_HEIGHT_PHONE = 100
const PHONE = '(max-width: 44rem)'

/** Many rows, of which only those in view are in the document. */
export function VirtualRows({
  rows,
  total,
  network,
  figures,
  list,
  scrollY,
}: {
  rows: readonly LaunchData[]
  total: number
  network: Network
  figures: Record<string, LaunchFigures>
  list: React.RefObject<HTMLUListElement | null>
  /**
   * How far the reader has scrolled in the list that this replaces. Without it, the page would be too short to stay
   * there.
   */
  scrollY: number
}) {
  const [initialOffset] = useState(scrollY)
  const rowHeight = useRowHeight()
  const [top, setTop] = useState(0)
  // The content above the list may change its height.
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
    initialOffset,
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
              aria-setsize={total}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <LaunchRow data={data} network={network} figures={figures[data.launch.genesisAddress]} />
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
