import { type FeedEvent, type LaunchData, type Network, SlipwayError } from '@slipway/client'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { compareLaunches } from './launches.ts'
import { reportOutage } from './outage.ts'
import { useSite } from './site-context.ts'
import { onAnswer, watchConnection } from './watched-fetch.ts'

/** `open`: changes arrive by themselves. `polling`: they are asked for. */
type LiveStatus = 'open' | 'polling'

/** Changes that arrive within this time are applied together. */
const GATHER_MS = 400
/** If the service returns a launch that is older than its event, the page asks again after this time. */
const LATE_MS = 1_000
/** The launches that are fetched after each gathering; more than that, and the whole list is cheaper. */
const FETCHED_MAX = 8
/** The service sends something every 15 seconds. */
const SILENCE_MS = 20_000
/** Without events, pages ask this often. */
const POLL_MS = 15_000

/** Keeps everything on the page up to date with the events of the service, or by asking when there are none. */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient()
  const { slipway } = useSite()
  const [status, setStatus] = useState<LiveStatus>('open')

  useEffect(() => {
    const stop = new AbortController()
    const changed = new Map<string, FeedEvent>()
    const late = new WeakSet<FeedEvent>()
    let timer: ReturnType<typeof setTimeout> | undefined
    const connection = createConnectionWatch(queryClient)

    async function follow() {
      let hasOpened = false
      const onStatus = (feed: 'open' | 'reconnecting', error?: SlipwayError) => {
        setStatus(feed === 'open' ? 'open' : 'polling')
        connection.note(feed, error)
        if (feed === 'open' && !hasOpened) catchUp(queryClient)
        hasOpened ||= feed === 'open'
      }
      for await (const event of slipway.events(
        {},
        { signal: stop.signal, silenceMs: SILENCE_MS, onStatus },
      )) {
        if (event.type === 'reset') void queryClient.invalidateQueries()
        else if (event.type.startsWith('agent.')) noteAgent(queryClient, event)
        else note(event)
      }
    }

    function note(event: FeedEvent) {
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
      if (moved.length > FETCHED_MAX) await queryClient.invalidateQueries({ queryKey: ['launches'] })
      else await Promise.allSettled(moved.map(refresh))
      timer = changed.size > 0 && !stop.signal.aborted ? setTimeout(apply, GATHER_MS) : undefined
    }

    async function refresh(event: FeedEvent) {
      const { network, address, at } = event
      const isShown = queryClient.getQueryData(['launch', network, address]) !== undefined
      if (!isShown && !queryClient.getQueryData(['launches', network])) return
      void queryClient.invalidateQueries({ queryKey: ['activity', network, address] })
      try {
        const launch = await slipway.launches.get(address, { network, signal: stop.signal })
        if (isShown) queryClient.setQueryData(['launch', network, address], launch)
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

    // A service without events is asked instead.
    follow().catch(() => setStatus('polling'))
    const stopWatching = watchConnection(slipway.url)
    return () => {
      stopWatching()
      stop.abort()
      connection.close()
      clearTimeout(timer)
    }
  }, [queryClient, slipway])

  useEffect(() => {
    if (status === 'open') return undefined
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible')
        void queryClient.invalidateQueries({ refetchType: 'active' })
    }, POLL_MS)
    return () => clearInterval(timer)
  }, [status, queryClient])
}

/** A stream that ends may come back at once, as when the service restarts. */
const FAILURES_SHOWN = 2

/** Reports an outage when the stream of events is lost and can't be opened again. */
function createConnectionWatch(queryClient: QueryClient) {
  let failures = 0
  let lostMs = 0
  let endOutage: (() => void) | undefined

  function end() {
    failures = 0
    endOutage?.()
    endOutage = undefined
  }
  function retryFailed() {
    void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
  }
  // The stream waits before it tries again. Meanwhile, other requests may find that the service is back.
  const stopListening = onAnswer(() => {
    const wasShown = endOutage !== undefined
    end()
    if (wasShown) retryFailed()
  })

  return {
    note(feed: 'open' | 'reconnecting', error: SlipwayError | undefined) {
      // Any other status is an answer.
      const isLost = feed === 'reconnecting' && (!error || error.status === 0 || error.status >= 500)
      if (!isLost) {
        end()
        if (feed === 'open') retryFailed()
        return
      }
      if (failures === 0) lostMs = Date.now()
      failures += 1
      if (failures >= FAILURES_SHOWN) endOutage ??= reportOutage({ sinceMs: lostMs, kind: 'unreachable' })
    },
    close() {
      stopListening()
      end()
    },
  }
}

/**
 * No event tells of what changed after the server rendered the page and before the stream opened. So the page asks once more
 * for the launch or the agent that it is about.
 */
function catchUp(queryClient: QueryClient) {
  const subject = location.pathname.split('/').at(-1)
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [kind, , address] }) =>
      (kind === 'launch' || kind === 'agent') && address === subject,
  })
}

function noteAgent(queryClient: QueryClient, { network, address }: FeedEvent) {
  void queryClient.invalidateQueries({ queryKey: ['agent', network, address] })
  void queryClient.invalidateQueries({ queryKey: ['agents', network] })
}

/** Replaces or adds a launch in the list, in the place where its activity puts it. */
function putLaunch(queryClient: QueryClient, network: Network, launch: LaunchData) {
  queryClient.setQueryData<LaunchData[]>(['launches', network], known => {
    if (!known) return undefined
    const others = known.filter(other => other.launch.genesisAddress !== launch.launch.genesisAddress)
    const at = others.findIndex(other => compareLaunches(launch, other) < 0)
    others.splice(at === -1 ? others.length : at, 0, launch)
    return others
  })
}

/** A hidden launch disappears from the list, and its page says so. */
function removeLaunch(queryClient: QueryClient, network: Network, address: string) {
  queryClient.setQueryData<LaunchData[]>(['launches', network], known =>
    known?.filter(({ launch }) => launch.genesisAddress !== address),
  )
  if (queryClient.getQueryData(['launch', network, address]) !== undefined)
    queryClient.setQueryData(['launch', network, address], null)
}
