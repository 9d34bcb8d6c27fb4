import { NetworkFilter } from '../../components/network-filter.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { useSite } from '../../lib/site-context.ts'
import styles from './directory.module.css'
import { directoryHref, type Filter, type StatusCounts } from './filter.ts'

/** Every choice is a link, so that it is in the address and works without script. */
export function DirectoryFilters({ filter, counts }: { filter: Filter; counts: StatusCounts | undefined }) {
  const { networks } = useSite().settings
  const hrefOf = (change: Partial<Filter>) => directoryHref({ ...filter, ...change }, networks)
  const statuses = [
    { text: 'All', status: undefined, count: counts?.all },
    { text: 'Upcoming', status: 'upcoming', count: counts?.upcoming },
    { text: 'Live', status: 'live', count: counts?.live },
    { text: 'Graduated', status: 'graduated', count: counts?.graduated },
  ] as const
  return (
    <div className={styles.filters}>
      <Segmented
        label="Status"
        choices={statuses.map(({ text, status, count }) => ({
          text,
          count,
          href: hrefOf({ status }),
          isCurrent: filter.status === status,
        }))}
      />
      <NetworkFilter current={filter.network} hrefOf={network => hrefOf({ network })} />
    </div>
  )
}
