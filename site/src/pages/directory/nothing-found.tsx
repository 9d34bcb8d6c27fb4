import { wordsOf } from '@slipway/launch-model/kinds/words'
import { Link } from 'wouter'
import { OtherNetwork } from '../../components/choices.tsx'
import { Notice } from '../../components/notice.tsx'
import { type AgentFilter, agentsHref } from '../../lib/agent-filter.ts'
import { networkName } from '../../lib/format.ts'
import { isAddress } from '../../lib/is-address.ts'
import { changeFilter, directoryHref, isEverything, type LaunchFilter } from '../../lib/launch-filter.ts'
import { useSite } from '../../lib/site-context.ts'
import { walletHref } from '../../lib/wallets.ts'

/** Says why the list is empty, and what to change. */
export function NothingFound({ filter }: { filter: LaunchFilter }) {
  const { networks } = useSite().settings
  const hrefOf = (change: Partial<LaunchFilter>) => directoryHref(changeFilter(filter, change), networks)
  const place = networkName(filter.network)
  if (isEverything(filter))
    return (
      <Notice level={3} title={`No launches on ${place} yet`}>
        A launch appears here as soon as it is registered.
      </Notice>
    )
  const { text, status, mechanic } = filter
  const kind = mechanic ? `${wordsOf(mechanic).noun}s` : 'launches'
  return (
    <Notice
      level={3}
      title={text ? 'Nothing matches' : `No ${status ? `${status} ` : ''}${kind} on ${place}`}
      action={
        <>
          {status && <Link href={hrefOf({ status: undefined })}>Any status</Link>}
          {mechanic && <Link href={hrefOf({ mechanic: undefined })}>Any kind</Link>}
          {text && <Link href={hrefOf({ text: '' })}>Clear the search</Link>}
          {isAddress(text) ? (
            <Link href={walletHref(text, filter.network, networks)}>Open this address as a wallet</Link>
          ) : (
            text && (
              <Link href={agentsHref({ ...ANY_AGENT, network: filter.network, text }, networks)}>
                Search agents
              </Link>
            )
          )}
          <OtherNetwork current={filter.network} hrefOf={network => hrefOf({ network })} />
        </>
      }
    >
      {text
        ? 'Search covers names, symbols and addresses. Small typos in a name or a symbol are fine.'
        : 'Try another status, kind or network.'}
    </Notice>
  )
}

const ANY_AGENT = { flags: [], sort: 'latest', page: 1 } as const satisfies Partial<AgentFilter>
