import { type FeedEvent, type LaunchData, type Network, type Slipway, SlipwayError } from '@slipway/client'
import { hashKey, type Query, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { checkLaunch } from './check-answers.ts'
import { watchConnection, watchStream } from './connection.ts'
import { type LaunchRows, putRow, removeRow, takesArrivals, toRow } from './launch-rows.ts'
import type { LaunchFilter } from './launches.ts'
import { queryKeys } from './query-keys.ts'
import { useSite } from './site-context.ts'

/** `open`: changes arrive by themselves. `polling`: they are asked for. */
type LiveStatus = 'open' | 'polling'

/** The service sends something every 15 seconds. */
const SILENCE_MS = 20_000
/** Without events, pages ask this often. */
const POLL_MS = 15_000

/** Keeps everything on the page up to date with the events of the service, or by asking when there are none. */
export function useLiveUpdates(
  /** The last event before the server read what the page began with. */
  lastEventId: string | undefined,
): void {
  const queryClient = useQueryClient()
  const { slipway } = useSite()
  const [status, setStatus] = useState<LiveStatus>('open')

  useEffect(() => {
    const stop = new AbortController()
    const launches = createLiveLaunches({ queryClient, slipway })
    const stream = watchStream(slipway.url, () => {
      void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
    })

    async function follow() {
      const onStatus = (feed: 'open' | 'reconnecting', error?: SlipwayError) => {
        setStatus(feed === 'open' ? 'open' : 'polling')
        stream.note(feed, error)
      }
      for await (const event of slipway.events(
        {},
        { signal: stop.signal, silenceMs: SILENCE_MS, lastEventId, onStatus },
      )) {
        if (event.type === 'reset') void queryClient.invalidateQueries()
        else if (event.type.startsWith('agent.')) noteAgent(queryClient, event)
        else launches.note(event)
      }
    }

    // A service without events is asked instead.
    follow().catch(() => setStatus('polling'))
    const stopWatching = watchConnection(slipway.url)
    return () => {
      stopWatching()
      stop.abort()
      stream.close()
      launches.close()
    }
  }, [queryClient, slipway, lastEventId])

  useEffect(() => {
    if (status === 'open') return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible')
        void queryClient.invalidateQueries({ refetchType: 'active' })
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [status, queryClient])
}

function noteAgent(queryClient: QueryClient, { network, address }: FeedEvent) {
  void queryClient.invalidateQueries({ queryKey: queryKeys.agent(network, address) })
  void queryClient.invalidateQueries({ queryKey: queryKeys.agents(network) })
}

/** Changes that arrive within this time are applied together. */
const GATHER_MS = 400
/** If the service returns a launch that is older than its event, the page asks again after this time. */
const LATE_MS = 1_000
/** The launches that are fetched for each batch of changes. For more than that, the list is fetched again. */
const FETCHED_MAX = 8
/** Every open page gets the same events, so each waits for a random time before it asks again. */
const LIST_MS = [5_000, 15_000] as const
const COUNTS_MS = [0, 4_000] as const

/** What can change how many launches of a status there are. */
const COUNTED: readonly string[] = [
  'launch.registered',
  'launch.started',
  'launch.graduated',
  'launch.hidden',
]

/** Applies the events of launches to what the page shows. */
export function createLiveLaunches({
  queryClient,
  slipway,
}: {
  queryClient: QueryClient
  slipway: { launches: Pick<Slipway['launches'], 'get'> }
}) {
  const lists = createLists(queryClient)
  const changed = new Map<string, FeedEvent>()
  let registered = new Set<string>()
  /** The registered launches among the changes that are being applied. */
  let applied = registered
  const late = new WeakSet<FeedEvent>()
  const stop = new AbortController()
  const waiting = new Map<string, ReturnType<typeof setTimeout>>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function note(event: FeedEvent) {
    // The page was left while a launch was to be fetched once more.
    if (stop.signal.aborted) return
    const key = `${event.network} ${event.address}`
    // If the launch is hidden, earlier changes don't matter.
    if (changed.get(key)?.type !== 'launch.hidden') changed.set(key, event)
    if (event.type === 'launch.registered') registered.add(key)
    timer ??= setTimeout(apply, GATHER_MS)
  }

  async function apply() {
    const events = [...changed.values()]
    changed.clear()
    applied = registered
    registered = new Set()
    for (const network of networksOf(events.filter(({ type }) => COUNTED.includes(type))))
      refetchLater(queryKeys.launchCounts(network), COUNTS_MS)
    const hidden = events.filter(({ type }) => type === 'launch.hidden')
    for (const { network, address } of hidden) lists.remove(network, address)
    const moved = events.filter(({ type }) => type !== 'launch.hidden')
    const wanted = moved.filter(event => isShown(event) || lists.want(event, isNew(event)))
    const isFlood = wanted.length > FETCHED_MAX
    for (const network of networksOf(moved))
      if (isFlood || lists.areOrderedByFigures(network)) refetchLater(queryKeys.launches(network), LIST_MS)
    await Promise.allSettled((isFlood ? wanted.filter(isShown) : wanted).map(refresh))
    timer = changed.size > 0 && !stop.signal.aborted ? setTimeout(apply, GATHER_MS) : undefined
  }

  const isShown = ({ network, address }: FeedEvent) =>
    queryClient.getQueryData(queryKeys.launch(network, address)) !== undefined
  const isNew = ({ network, address }: FeedEvent) => applied.has(`${network} ${address}`)

  function refetchLater(queryKey: QueryKey, [leastMs, mostMs]: readonly [number, number]) {
    const name = hashKey(queryKey)
    if (waiting.has(name)) return
    const refetch = () => {
      waiting.delete(name)
      void queryClient.invalidateQueries({ queryKey })
    }
    waiting.set(name, setTimeout(refetch, leastMs + Math.random() * (mostMs - leastMs)))
  }

  async function refresh(event: FeedEvent) {
    const { network, address, at } = event
    void queryClient.invalidateQueries({ queryKey: queryKeys.activities(network, address) })
    void queryClient.invalidateQueries({ queryKey: queryKeys.market(network, address) })
    try {
      const launch = checkLaunch(
        await slipway.launches.get(address, { network, signal: stop.signal }),
        address,
      )
      if (isShown(event)) queryClient.setQueryData(queryKeys.launch(network, address), launch)
      lists.put(network, toRow(launch), isNew(event))
      // The event may be faster than the listing.
      if (launch.launch.lastActivityAt < at && !late.has(event)) {
        const again = { ...event }
        late.add(again)
        setTimeout(() => note(again), LATE_MS)
      }
    } catch (error) {
      if (error instanceof SlipwayError && error.status === 404) lists.remove(network, address)
    }
  }

  return {
    note,
    close() {
      stop.abort()
      clearTimeout(timer)
      for (const refetch of waiting.values()) clearTimeout(refetch)
    },
  }
}

const networksOf = (events: readonly FeedEvent[]) => new Set(events.map(({ network }) => network))

/** All lists of launches that pages have loaded, and the launches in the spotlight. */
function createLists(queryClient: QueryClient) {
  const all = (network: Network) =>
    queryClient
      .getQueryCache()
      .findAll({ queryKey: queryKeys.launches(network) })
      .flatMap(query => {
        const rows = query.state.data as LaunchRows | undefined
        return rows ? [{ query, rows, filter: query.queryKey[2] as LaunchFilter }] : []
      })

  /** The age of the data is kept, because changes of other launches may have been missed meanwhile. */
  function replace(query: Query, rows: LaunchRows, next: LaunchRows) {
    const { dataUpdatedAt: updatedAt } = query.state
    if (next !== rows) queryClient.setQueryData(query.queryKey, next, { updatedAt })
  }

  function changeSpotlight(network: Network, change: (launches: LaunchData[]) => LaunchData[]) {
    queryClient.setQueryData<LaunchData[]>(queryKeys.spotlight(network), known => known && change(known))
  }

  return {
    /** Whether a list has this launch, or one that is shown may get it. */
    want({ network, address }: FeedEvent, isNew: boolean): boolean {
      const spotlight = queryClient.getQueryData<LaunchData[]>(queryKeys.spotlight(network)) ?? []
      return (
        spotlight.some(({ launch }) => launch.genesisAddress === address) ||
        all(network).some(
          ({ query, rows, filter }) =>
            (query.isActive() && takesArrivals(filter, isNew)) ||
            rows.launches.some(({ launch }) => launch.genesisAddress === address),
        )
      )
    },
    /**
     * Whether a list that is shown has an order that only the service knows: what launches have raised is not in
     * their data.
     */
    areOrderedByFigures: (network: Network): boolean =>
      all(network).some(
        ({ query, filter }) => query.isActive() && (filter.sort === 'raised' || filter.sort === 'progress'),
      ),
    put(network: Network, data: LaunchData, isNew: boolean) {
      const { genesisAddress } = data.launch
      changeSpotlight(network, known =>
        known
          .map(other => (other.launch.genesisAddress === genesisAddress ? data : other))
          .filter(({ launch }) => launch.spotlight),
      )
      for (const { query, rows, filter } of all(network))
        replace(query, rows, putRow(rows, filter, data, { nowMs: Date.now(), isNew }))
    },
    /** A hidden launch disappears from the lists, and its page says so. */
    remove(network: Network, address: string) {
      changeSpotlight(network, known => known.filter(({ launch }) => launch.genesisAddress !== address))
      for (const { query, rows } of all(network)) replace(query, rows, removeRow(rows, address))
      if (queryClient.getQueryData(queryKeys.launch(network, address)) !== undefined)
        queryClient.setQueryData(queryKeys.launch(network, address), null)
    },
  }
}
