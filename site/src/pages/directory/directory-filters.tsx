import type { Network } from '@slipway/client'
import { wordsOf } from '@slipway/launch-model/kinds/words'
import { Segmented } from '../../components/choices.tsx'
import { Menu } from '../../components/menu.tsx'
import { networkName } from '../../lib/format.ts'
import {
  changeFilter,
  type DirectorySort,
  directoryHref,
  type LaunchFilter,
  MECHANICS,
  sortsOf,
} from '../../lib/launch-filter.ts'
import { useSite } from '../../lib/site-context.ts'
import styles from './directory.module.css'
import { type StatusCounts, sumOf } from './status-counts.ts'

const SORT_NAMES: Record<DirectorySort, string> = {
  status: 'Live first',
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
  const hrefOf = (change: Partial<LaunchFilter>) => directoryHref(changeFilter(filter, change), networks)
  const statuses = [
    { text: 'All', status: undefined, count: counts && sumOf(counts) },
    { text: 'Live', status: 'live', count: counts?.live },
    { text: 'Upcoming', status: 'upcoming', count: counts?.upcoming },
    { text: 'Closed', status: 'closed', count: counts?.closed },
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
      <div className={styles.menus}>
        {networks.length > 1 && (
          <Menu
            label="Network"
            choices={(networks as Network[]).map(network => ({
              text: networkName(network),
              href: hrefOf({ network }),
              isCurrent: filter.network === network,
            }))}
          />
        )}
        <Menu
          label="Kind"
          choices={[undefined, ...MECHANICS].map(mechanic => ({
            text: mechanic ? wordsOf(mechanic).title : 'All kinds',
            href: hrefOf({ mechanic }),
            isCurrent: filter.mechanic === mechanic,
          }))}
        />
        <Menu
          label="Sort"
          choices={sortsOf(filter).map(sort => ({
            text: sort === 'ending' && filter.status === 'closed' ? 'Last closed' : SORT_NAMES[sort],
            href: hrefOf({ sort }),
            isCurrent: filter.sort === sort,
          }))}
        />
      </div>
    </div>
  )
}
