import { pause } from '../../lib/pause.ts'
import type { IndexerLimits } from '../limits.ts'
import type { IndexMode, Repair } from '../observer.ts'

/** The pause after a full read is this many times as long as the read took, within limits. */
const REST_FACTOR = 2
const REST_MS_MAX = 30_000
/** An unreported slot is no proof of a missed change: it causes a full read only now and then. */
const SUSPICION_REST_MS = 20_000
const SUSPICION_REST_FACTOR = 10
const RETRY_DOUBLINGS_MAX = 4
const IDLE_MS = 250

export interface ReadScheduler {
  /** Runs until the signal. */
  run(): Promise<void>
  /** Requests a full read. */
  request(reason: string): void
  /** Requests a full read unless one ended a moment ago. */
  requestIfStale(reason: string): void
  /** Requests a full read, a while after the last one, because accounts are missing. */
  recheck(): void
  /** Changes are reported from now on. */
  subscribed(): void
  /** Changes are no longer reported. Returns whether they were. */
  unsubscribed(reason: string): boolean
  isSubscribed(): boolean
  /** Everything was read, and every change since was reported. */
  isUpToDate(): boolean
}

/** Decides when to read the whole chain: at the start, after every gap, and repeatedly without a subscription. */
export function createReadScheduler({
  readAll,
  sweep,
  hasMissing,
  limits: { auditMs, recheckMs, graceMs, pollMs, sweepMs, retryMs },
  onMode,
  onRepaired,
  onFault,
  signal,
}: {
  /** Returns the number of accounts. */
  readAll(): Promise<number>
  /** Reads a few known accounts. */
  sweep(): Promise<void>
  /** Whether accounts are missing. */
  hasMissing(): boolean
  limits: Pick<IndexerLimits, 'auditMs' | 'recheckMs' | 'graceMs' | 'pollMs' | 'sweepMs' | 'retryMs'>
  onMode(mode: IndexMode, reason: string): void
  onRepaired(repair: Repair): void
  onFault(error: unknown): void
  signal: AbortSignal
}): ReadScheduler {
  let requested: string | undefined = START
  let isReading = false
  let isSubscribed = false
  let downSinceMs = performance.now()
  let downReason = 'not connected yet'
  let mode: IndexMode | undefined
  let trustedUntilMs = 0
  let restsUntilMs = 0
  let auditAtMs = Number.POSITIVE_INFINITY
  let recheckAtMs = Number.POSITIVE_INFINITY
  let recheckRestsUntilMs = 0
  let wake = () => {}

  function request(reason: string) {
    requested ??= reason
    wake()
  }

  function setMode(next: IndexMode, reason: string) {
    if (mode === next) return
    mode = next
    onMode(next, reason)
  }

  /** Waits until something is requested, but no longer than this. */
  function idle(ms: number): Promise<void> {
    return new Promise(resolve => {
      const end = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', end)
        wake = () => {}
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal.addEventListener('abort', end)
      wake = end
      if (signal.aborted) end()
    })
  }

  async function read(reason: string): Promise<void> {
    const startMs = performance.now()
    requested = undefined
    isReading = true
    try {
      const accounts = await readAll()
      const ms = performance.now() - startMs
      if (reason !== POLLING)
        onRepaired({ reason, isGap: !EXPECTED.has(reason), seconds: ms / 1_000, accounts })
      const nowMs = performance.now()
      auditAtMs = nowMs + auditMs
      recheckRestsUntilMs = nowMs + Math.max(recheckMs, REST_FACTOR * ms)
      recheckAtMs = hasMissing() ? recheckRestsUntilMs : Number.POSITIVE_INFINITY
      trustedUntilMs = nowMs + Math.max(SUSPICION_REST_MS, SUSPICION_REST_FACTOR * ms)
      restsUntilMs = nowMs + Math.max(isSubscribed ? 0 : pollMs, Math.min(REST_FACTOR * ms, REST_MS_MAX))
    } catch (error) {
      requested ??= reason
      throw error
    } finally {
      isReading = false
    }
  }

  return {
    async run() {
      // Subscribe first and read afterwards, so that no change is missed in between.
      await idle(graceMs)
      let failures = 0
      let sweepAtMs = performance.now() + sweepMs
      while (!signal.aborted) {
        const isDown = !isSubscribed && performance.now() - downSinceMs >= graceMs
        if (isDown) setMode('polling', downReason)
        if (performance.now() >= auditAtMs) requested ??= AUDIT
        if (performance.now() >= recheckAtMs) requested ??= RECHECK
        try {
          const restMs = restsUntilMs - performance.now()
          if ((requested !== undefined || isDown) && restMs <= 0) await read(requested ?? POLLING)
          else if (performance.now() >= sweepAtMs) {
            await sweep()
            sweepAtMs = performance.now() + sweepMs
          } else await idle(Math.min(IDLE_MS, restMs > 0 ? restMs : IDLE_MS))
          failures = 0
        } catch (error) {
          if (!signal.aborted) onFault(error)
          failures += 1
          await pause(retryMs * 2 ** Math.min(failures, RETRY_DOUBLINGS_MAX), signal)
        }
      }
    },
    request,
    requestIfStale(reason) {
      if (performance.now() > trustedUntilMs) request(reason)
    },
    recheck() {
      recheckAtMs = Math.min(recheckAtMs, Math.max(recheckRestsUntilMs, performance.now()))
      wake()
    },
    subscribed() {
      isSubscribed = true
      request('subscribed')
      setMode('live', 'changes are reported')
    },
    unsubscribed(reason) {
      downReason = reason
      if (!isSubscribed) return false
      isSubscribed = false
      downSinceMs = performance.now()
      return true
    },
    isSubscribed: () => isSubscribed,
    isUpToDate: () => isSubscribed && requested === undefined && !isReading,
  }
}

const POLLING = 'polling'
const START = 'start'
const AUDIT = 'regular audit'
const RECHECK = 'accounts are missing'
/** Reasons for which nothing seems to have been missed. */
const EXPECTED: ReadonlySet<string> = new Set([START, AUDIT])
