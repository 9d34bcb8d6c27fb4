import type { FeedEvent, SlipwayError } from '@slipway/client'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { createLiveLaunches } from './live-launches.ts'
import { reportOutage } from './outage.ts'
import { queryKeys } from './query-keys.ts'
import { useSite } from './site-context.ts'
import { onAnswer, watchConnection, watchedFetch } from './watched-fetch.ts'

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
    const connection = createConnectionWatch(queryClient, slipway.url)

    async function follow() {
      const onStatus = (feed: 'open' | 'reconnecting', error?: SlipwayError) => {
        setStatus(feed === 'open' ? 'open' : 'polling')
        connection.note(feed, error)
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
      connection.close()
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

/** A stream that ends may come back at once, as when the service restarts. */
const FAILURES_SHOWN = 2
const PROBE_MS = 500

/** Reports an outage when the stream of events is lost and can't be opened again. */
function createConnectionWatch(queryClient: QueryClient, url: string) {
  let isClosed = false
  let failures = 0
  let lostMs = 0
  let endOutage: (() => void) | undefined

  function end() {
    failures = 0
    endOutage?.()
    endOutage = undefined
  }
  function report() {
    if (!isClosed && failures > 0) endOutage ??= reportOutage({ sinceMs: lostMs, kind: 'unreachable' })
  }
  /** Lets the page report an outage before the stream tries again. */
  const probe = () => void watchedFetch(`${url}/healthz`, { cache: 'no-store' }).catch(report)

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
      if (failures >= FAILURES_SHOWN) report()
      else setTimeout(probe, PROBE_MS)
    },
    close() {
      isClosed = true
      stopListening()
      end()
    },
  }
}

function noteAgent(queryClient: QueryClient, { network, address }: FeedEvent) {
  void queryClient.invalidateQueries({ queryKey: queryKeys.agent(network, address) })
  void queryClient.invalidateQueries({ queryKey: queryKeys.agents(network) })
}
