import { setTimeout as sleep } from 'node:timers/promises'
import { FOLLOW_LIMITS, type FollowLimits, type FollowObserver, type ProgramTopic } from './following.ts'
import { runSession, type SessionEnded } from './session.ts'

/** Subscribes to account changes of programs at `confirmed`, and reconnects whenever the connection is lost. */
export function followPrograms({
  url,
  topics,
  observer,
  limits: given,
}: {
  url: string
  topics: readonly ProgramTopic[]
  observer: FollowObserver
  limits?: Partial<FollowLimits>
}): { reconnect(): void; close(): Promise<void> } {
  const limits = { ...FOLLOW_LIMITS, ...given }
  const stopped = new AbortController()
  let session = new AbortController()
  const done = keepFollowing()

  async function keepFollowing() {
    let failures = 0
    while (!stopped.signal.aborted) {
      session = new AbortController()
      const ended = await runSession({
        url,
        topics,
        limits,
        signal: AbortSignal.any([stopped.signal, session.signal]),
        observer: {
          ...observer,
          onLive() {
            failures = 0
            observer.onLive()
          },
        },
      })
      if (stopped.signal.aborted) return
      observer.onDown(ended.message, ended.isRefused)
      failures += 1
      await sleep(pauseMs(ended, failures), undefined, { signal: stopped.signal }).catch(() => {})
    }
  }

  /** Doubles, with jitter, so that not all nodes reconnect at the same moment after an outage. */
  function pauseMs({ isRefused }: SessionEnded, failures: number): number {
    if (isRefused) return limits.refusedMs
    const grown = limits.reconnectMsMin * 2 ** Math.min(failures - 1, 10)
    return Math.min(grown, limits.reconnectMsMax) * (0.5 + Math.random() / 2)
  }

  return {
    /** Replaces the present connection, which may lead to another chain, with a new one. */
    reconnect: () => session.abort(),
    async close() {
      stopped.abort()
      await done
    },
  }
}
