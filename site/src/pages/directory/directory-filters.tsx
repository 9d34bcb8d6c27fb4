import { wordsOf } from '@slipway/launch-model/kinds/words'
import { Menu } from '../../components/menu.tsx'
import { NetworkFilter } from '../../components/network-filter.tsx'
import { Segmented } from '../../components/segmented.tsx'
import {
  directoryHref,
  type LaunchFilter,
  type LaunchSort,
  MECHANICS,
  SORTS,
} from '../../lib/launch-filter.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './directory.module.css'
import { type StatusCounts, sumOf } from './status-counts.ts'

const SORT_NAMES: Record<LaunchSort, string> = {
  activity: 'Latest activity',
  newest: 'Newest',
  raised: 'Most raised',
  progress: 'Furthest along',
  ending: 'Ending soonest',
}

/** Every choice is a link, so that it is in the address and works without script. */
export function DirectoryFilters({
  filter,
  counts,
}: {
  filter: LaunchFilter
  counts: StatusCounts | undefined
}) {
  const { networks } = useSite().settings
  const hrefOf = (change: Partial<LaunchFilter>) =>
    directoryHref({ ...filter, cursor: undefined, ...change }, networks)
  const statuses = [
    { text: 'All', status: undefined, count: counts && sumOf(counts) },
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
      <div className={styles.menus}>
        <Menu
          label="Kind"
          choices={[undefined, ...MECHANICS].map(mechanic => ({
            text: mechanic ? wordsOf(mechanic).title : 'Any',
            href: hrefOf({ mechanic }),
            isCurrent: filter.mechanic === mechanic,
          }))}
        />
        <Menu
          label="Sort"
          choices={SORTS.map(sort => ({
            text: SORT_NAMES[sort],
            href: hrefOf({ sort }),
            isCurrent: filter.sort === sort,
          }))}
        />
      </div>
    </div>
  )
}
