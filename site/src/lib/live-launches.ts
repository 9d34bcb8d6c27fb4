import { type FeedEvent, type LaunchData, type Network, type Slipway, SlipwayError } from '@slipway/client'
import type { QueryClient } from '@tanstack/react-query'
import { compareLaunches } from './launches.ts'
import { queryKeys } from './query-keys.ts'

/** Changes that arrive within this time are applied together. */
const GATHER_MS = 400
/** If the service returns a launch that is older than its event, the page asks again after this time. */
const LATE_MS = 1_000
/** The launches that are fetched after each gathering; more than that, and the whole list is cheaper. */
const FETCHED_MAX = 8

/** Applies the events of launches to what the page shows. */
export function createLiveLaunches({
  queryClient,
  slipway,
}: {
  queryClient: QueryClient
  slipway: { launches: Pick<Slipway['launches'], 'get'> }
}) {
  const changed = new Map<string, FeedEvent>()
  const late = new WeakSet<FeedEvent>()
  const stop = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined

  function note(event: FeedEvent) {
    // The page was left while a launch was to be fetched once more.
    if (stop.signal.aborted) return
    const key = `${event.network} ${event.address}`
    // Once hidden, nothing that came before matters.
    if (changed.get(key)?.type !== 'launch.hidden') changed.set(key, event)
    timer ??= setTimeout(apply, GATHER_MS)
  }

  async function apply() {
    const events = [...changed.values()]
    changed.clear()
    const hidden = events.filter(({ type }) => type === 'launch.hidden')
    for (const { network, address } of hidden) removeLaunch(queryClient, network, address)
    const moved = events.filter(({ type }) => type !== 'launch.hidden')
    if (moved.length > FETCHED_MAX) await queryClient.invalidateQueries({ queryKey: queryKeys.allLaunches() })
    else await Promise.allSettled(moved.map(refresh))
    timer = changed.size > 0 && !stop.signal.aborted ? setTimeout(apply, GATHER_MS) : undefined
  }

  async function refresh(event: FeedEvent) {
    const { network, address, at } = event
    const isShown = queryClient.getQueryData(queryKeys.launch(network, address)) !== undefined
    if (!isShown && !queryClient.getQueryData(queryKeys.launches(network))) return
    void queryClient.invalidateQueries({ queryKey: queryKeys.activities(network, address) })
    try {
      const launch = await slipway.launches.get(address, { network, signal: stop.signal })
      if (isShown) queryClient.setQueryData(queryKeys.launch(network, address), launch)
      const { verifiedSocials: _, ...listed } = launch
      putLaunch(queryClient, network, listed)
      // The event may be faster than the listing.
      if (launch.launch.lastActivityAt < at && !late.has(event)) {
        const again = { ...event }
        late.add(again)
        setTimeout(() => note(again), LATE_MS)
      }
    } catch (error) {
      if (error instanceof SlipwayError && error.status === 404) removeLaunch(queryClient, network, address)
    }
  }

  return {
    note,
    close() {
      stop.abort()
      clearTimeout(timer)
    },
  }
}

/** Replaces or adds a launch in the list, in the place where its activity puts it. */
function putLaunch(queryClient: QueryClient, network: Network, launch: LaunchData) {
  queryClient.setQueryData<LaunchData[]>(queryKeys.launches(network), known => {
    if (!known) return undefined
    const others = known.filter(other => other.launch.genesisAddress !== launch.launch.genesisAddress)
    const at = others.findIndex(other => compareLaunches(launch, other) < 0)
    others.splice(at === -1 ? others.length : at, 0, launch)
    return others
  })
}

/** A hidden launch disappears from the list, and its page says so. */
function removeLaunch(queryClient: QueryClient, network: Network, address: string) {
  queryClient.setQueryData<LaunchData[]>(queryKeys.launches(network), known =>
    known?.filter(({ launch }) => launch.genesisAddress !== address),
  )
  if (queryClient.getQueryData(queryKeys.launch(network, address)) !== undefined)
    queryClient.setQueryData(queryKeys.launch(network, address), null)
}
