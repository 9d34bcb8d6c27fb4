import { Link } from 'wouter'
import { Notice } from '../../components/notice.tsx'
import { NETWORK_NAMES } from '../../lib/format.ts'
import { useSite } from '../../lib/site-context.ts'
import { directoryHref, type Filter } from './filter.ts'

/** Says why the list is empty, and what to change. */
export function NothingFound({ filter }: { filter: Filter }) {
  const { networks } = useSite().settings
  const other = networks.find(network => network !== filter.network)
  const networkName = NETWORK_NAMES[filter.network] ?? filter.network
  if (filter.text === '' && filter.status === undefined)
    return (
      <Notice level={3} title={`No launches on ${networkName} yet`}>
        A launch appears here as soon as it is registered.
      </Notice>
    )
  return (
    <Notice
      level={3}
      title={filter.text ? 'Nothing matches' : `Nothing ${filter.status} on ${networkName}`}
      action={
        <>
          {filter.status && (
            <Link href={directoryHref({ ...filter, status: undefined }, networks)}>Any status</Link>
          )}
          {filter.text && (
            <Link href={directoryHref({ ...filter, text: '' }, networks)}>Clear the search</Link>
          )}
          {other && (
            <Link href={directoryHref({ ...filter, network: other as Filter['network'] }, networks)}>
              Look on {NETWORK_NAMES[other] ?? other}
            </Link>
          )}
        </>
      }
    >
      {filter.text ? 'Any part of a name, a symbol or an address will do.' : 'Try another status or network.'}
    </Notice>
  )
}
