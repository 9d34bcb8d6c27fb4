import type { Network } from '@slipway/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Check, Search } from 'lucide-react'
import { type FormEvent, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { LinkButton } from '../../components/button.tsx'
import { NetworkFilter, OtherNetwork, Segmented } from '../../components/choices.tsx'
import { StaleNotice, Unreachable } from '../../components/failure.tsx'
import { PageHead, Toolbar } from '../../components/layout.tsx'
import { Notice } from '../../components/notice.tsx'
import {
  AGENT_FLAGS,
  type AgentFilter,
  type AgentFlag,
  agentsHref,
  describedFirst,
  type ListedAgents,
  parseAgentFilter,
  TEXT_LENGTH_MAX,
} from '../../lib/agents.ts'
import { networkName, plural } from '../../lib/format.ts'
import { useTitle } from '../../lib/hooks.ts'
import { useIsHydrated } from '../../lib/now.ts'
import { agentsQuery, balancesQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { definePage } from '../page.ts'
import { AgentCards, AgentCardsSkeleton } from './agent-cards.tsx'
import styles from './agents.module.css'

const DESCRIPTION =
  'Agents registered on the chain: what they do, where to reach them, and the tokens that they launched.'

export const agentsPage = definePage({
  path: '/agents',
  Component: Agents,
  async load({ queryClient, slipway, settings }, _params, search) {
    const filter = parseAgentFilter(search, settings.networks)
    const query = agentsQuery(slipway, filter)
    return {
      head: {
        title: 'Agents',
        description: DESCRIPTION,
        path: agentsHref(filter, settings.networks),
        isIndexed: filter.text === '' && filter.flags.length === 0,
      },
      data: [[query.queryKey, await queryClient.fetchQuery(query)]],
    }
  },
})

function Agents() {
  const { slipway, settings } = useSite()
  const search = useSearch()
  const { networks } = settings
  const filter = useMemo(() => parseAgentFilter(new URLSearchParams(search), networks), [search, networks])
  const { data, error, isError, isPlaceholderData, refetch } = useQuery({
    ...agentsQuery(slipway, filter),
    placeholderData: keepPreviousData,
  })
  const balances = useBalances(filter.network, isPlaceholderData ? undefined : data)
  useTitle('Agents')

  if (!data && isError)
    return (
      <Unreachable error={error} onRetry={() => void refetch()}>
        Agents could not be loaded. Nothing is lost; the list comes back with the service.
      </Unreachable>
    )
  return (
    <>
      <PageHead
        title="Agents"
        summary={data ? <Summary filter={filter} total={isPlaceholderData ? undefined : data.total} /> : ' '}
      >
        <AgentSearch filter={filter} />
        <LinkButton kind="quiet" href="/agents/new">
          Create an agent
        </LinkButton>
      </PageHead>
      <AgentFilters filter={filter} />
      {isError && <StaleNotice error={error} />}
      {!data && <AgentCardsSkeleton />}
      {data && data.agents.length === 0 && <NothingFound filter={filter} found={data} />}
      {data && data.agents.length > 0 && (
        // A search has the best matches first.
        <AgentCards
          agents={filter.text ? data.agents : describedFirst(data.agents)}
          balances={balances}
          network={filter.network}
          isStale={isPlaceholderData}
        />
      )}
      {data && <Pages filter={filter} totalPages={data.totalPages} />}
    </>
  )
}

/** What their wallets hold, if there is an RPC that browsers may use. */
function useBalances(network: Network, found: ListedAgents | undefined): Record<string, string> | undefined {
  const url = useSite().settings.rpc[network]?.url
  const wallets = (found?.agents ?? []).flatMap(({ walletAddress }) => walletAddress || [])
  return useQuery({
    ...balancesQuery(url ?? '', network, wallets),
    // Another agent on the page changes the question.
    placeholderData: keepPreviousData,
    enabled: useIsHydrated() && url !== undefined && wallets.length > 0,
  }).data
}

/** Screen readers announce it, so it never gives the total of the previous filter. */
function Summary({
  filter: { text, flags, network },
  total,
}: {
  filter: AgentFilter
  /** Undefined while the agents of this filter are on their way. */
  total: number | undefined
}) {
  if (total === undefined) return text ? 'Searching…' : 'Loading…'
  if (text)
    return (
      <>
        <b>{plural(total, 'match', 'matches')}</b> for <bdi>“{text}”</bdi>
      </>
    )
  return (
    <>
      <b>{plural(total, flags.length > 0 ? 'matching agent' : 'agent')}</b> on {networkName(network)}
    </>
  )
}

function NothingFound({ filter, found }: { filter: AgentFilter; found: ListedAgents }) {
  const { networks } = useSite().settings
  const place = networkName(filter.network)
  const hrefOf = (change: Partial<AgentFilter>) => agentsHref({ ...filter, page: 1, ...change }, networks)
  if (found.total > 0)
    return (
      <Notice
        level={2}
        title="Past the last page"
        action={<Link href={hrefOf({})}>Back to the first page</Link>}
      >
        There are {plural(found.totalPages, 'page')} of these agents.
      </Notice>
    )
  if (filter.text === '' && filter.flags.length === 0)
    return (
      <Notice level={2} title={`No agents on ${place} yet`}>
        An agent appears here within seconds of its registration on the chain.
      </Notice>
    )
  return (
    <Notice
      level={2}
      title={filter.text ? 'Nothing matches' : `No agent on ${place} matches all of these filters`}
      action={
        <>
          {filter.flags.length > 0 && <Link href={hrefOf({ flags: [] })}>Remove the filters</Link>}
          {filter.text && <Link href={hrefOf({ text: '' })}>Clear the search</Link>}
          <OtherNetwork current={filter.network} hrefOf={network => hrefOf({ network })} />
        </>
      }
    >
      {filter.text
        ? 'The search looks at names and descriptions, and forgives small misspellings.'
        : 'Filters combine: an agent must match every filter.'}
    </Notice>
  )
}

function Pages({ filter, totalPages }: { filter: AgentFilter; totalPages: number }) {
  const { networks } = useSite().settings
  const { page } = filter
  if (!(totalPages > 1) || page > totalPages) return null
  const hrefOf = (next: number) => agentsHref({ ...filter, page: next }, networks)
  return (
    <nav aria-label="Pages" className={styles.pages}>
      {page > 1 ? (
        <Link href={hrefOf(page - 1)} rel="prev">
          Previous
        </Link>
      ) : (
        <span />
      )}
      <span>
        Page {page} of {totalPages}
      </span>
      {page < totalPages ? (
        <Link href={hrefOf(page + 1)} rel="next">
          Next
        </Link>
      ) : (
        <span />
      )}
    </nav>
  )
}

const LABELS: Record<AgentFlag, string> = {
  active: 'Active',
  token: 'Has a token',
  services: 'Has services',
  verified: 'Verified',
  spotlight: 'In the spotlight',
}

/** Every choice is a link, so that it is in the address and works without script. */
export function AgentFilters({ filter }: { filter: AgentFilter }) {
  const { networks } = useSite().settings
  const hrefOf = (change: Partial<AgentFilter>) => agentsHref({ ...filter, page: 1, ...change }, networks)
  return (
    <Toolbar>
      <nav aria-label="Filters" className={styles.flags}>
        {AGENT_FLAGS.map(flag => {
          const isOn = filter.flags.includes(flag)
          return (
            <Link
              key={flag}
              replace
              href={hrefOf({
                flags: AGENT_FLAGS.filter(one => filter.flags.includes(one) !== (one === flag)),
              })}
              className={isOn ? `${styles.flag} ${styles.on}` : styles.flag}
              aria-current={isOn ? 'true' : undefined}
              title={isOn ? 'Remove this filter' : undefined}
            >
              {isOn && <Check size={14} strokeWidth={2} aria-hidden="true" />}
              {LABELS[flag]}
            </Link>
          )
        })}
      </nav>
      <div className={styles.choices}>
        <Segmented
          label="Order"
          choices={(['latest', 'oldest'] as const).map(sort => ({
            text: sort === 'latest' ? 'Newest' : 'Oldest',
            href: hrefOf({ sort }),
            isCurrent: filter.sort === sort,
          }))}
        />
        <NetworkFilter current={filter.network} hrefOf={network => hrefOf({ network })} />
      </div>
    </Toolbar>
  )
}

/** A search begins when no key has been pressed for this long. */
const PAUSE_MS = 250

/** Searches while you type. Without script it is a plain form. */
export function AgentSearch({ filter }: { filter: AgentFilter }) {
  const { settings, basePath } = useSite()
  const [, navigate] = useLocation()
  const isHydrated = useIsHydrated()
  // It keeps its own text, so that text typed before the script loaded stays.
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(filter)
  useLayoutEffect(() => {
    latest.current = filter
  })
  const searched = useRef(filter.text)
  // A link or the back button may change the address too. Otherwise, newly typed text stays.
  useEffect(() => {
    if (filter.text === searched.current || !input.current) return
    searched.current = filter.text
    input.current.value = filter.text
  }, [filter.text])
  const searchTyped = useEffectEvent(() => search(input.current?.value ?? ''))
  useEffect(() => {
    searchTyped()
    return () => clearTimeout(timer.current)
  }, [])

  function search(value: string) {
    clearTimeout(timer.current)
    const wanted = value.trim()
    if (wanted === latest.current.text) return
    searched.current = wanted
    navigate(agentsHref({ ...latest.current, text: wanted, page: 1 }, settings.networks), { replace: true })
  }
  function change(value: string) {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => search(value), PAUSE_MS)
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    search(input.current?.value ?? '')
  }
  const { network, flags, sort } = filter
  return (
    <search className={styles.search}>
      <form action={`${basePath}/agents`} onSubmit={submit}>
        <label>
          <span className="unseen">Search agents by name or description</span>
          <Search size={18} strokeWidth={1.5} aria-hidden="true" />
          <input
            ref={input}
            type="search"
            name="q"
            defaultValue={filter.text}
            maxLength={TEXT_LENGTH_MAX}
            placeholder="Search agents"
            autoComplete="off"
            spellCheck="false"
            onChange={event => change(event.target.value)}
          />
        </label>
        {network !== settings.networks[0] && <input type="hidden" name="network" value={network} />}
        {flags.length > 0 && <input type="hidden" name="filter" value={flags.join(',')} />}
        {sort !== 'latest' && <input type="hidden" name="sort" value={sort} />}
        {!isHydrated && <button type="submit">Search</button>}
      </form>
    </search>
  )
}
