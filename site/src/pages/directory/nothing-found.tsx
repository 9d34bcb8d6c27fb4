import { Link } from 'wouter'
import { OtherNetwork } from '../../components/network-filter.tsx'
import { Notice } from '../../components/notice.tsx'
import { networkName } from '../../lib/format.ts'
import { useSite } from '../../lib/site-context.ts'
import { directoryHref, type Filter } from './filter.ts'

/** Says why the list is empty, and what to change. */
export function NothingFound({ filter }: { filter: Filter }) {
  const { networks } = useSite().settings
  const hrefOf = (change: Partial<Filter>) => directoryHref({ ...filter, ...change }, networks)
  const place = networkName(filter.network)
  if (filter.text === '' && filter.status === undefined)
    return (
      <Notice level={3} title={`No launches on ${place} yet`}>
        A launch appears here as soon as it is registered.
      </Notice>
    )
  return (
    <Notice
      level={3}
      title={filter.text ? 'Nothing matches' : `Nothing ${filter.status} on ${place}`}
      action={
        <>
          {filter.status && <Link href={hrefOf({ status: undefined })}>Any status</Link>}
          {filter.text && <Link href={hrefOf({ text: '' })}>Clear the search</Link>}
          <OtherNetwork current={filter.network} hrefOf={network => hrefOf({ network })} />
        </>
      }
    >
      {filter.text ? 'Any part of a name, a symbol or an address will do.' : 'Try another status or network.'}
    </Notice>
  )
}
