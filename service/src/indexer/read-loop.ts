import { setTimeout as sleep } from 'node:timers/promises'
import type { IndexMode, Repair } from './observer.ts'

/** Reading everything again must leave the node time for others: so many times as long as it took, within reason. */
const REST_FACTOR = 2
const REST_MS_MAX = 30_000
/** A slot that was not told is no proof that anything was missed: that alone has everything read only now and then. */
const SUSPICION_REST_MS = 20_000
const SUSPICION_REST_FACTOR = 10
const RETRY_MS = 250
/** Then it looks whether anything is to be done. */
const IDLE_MS = 250
const RETRY_DOUBLINGS_MAX = 4

export interface ReadLoop {
  /** Until `signal`. */
  run(): Promise<void>
  /** Everything has to be read again, because of this. */
  want(reason: string): void
  /** The same, unless everything was read a moment ago. */
  suspect(reason: string): void
  /** The same, or a while after everything was last read: an account is missing, and that has to be looked into. */
  doubt(): void
  /** Changes are told from now on. */
  live(): void
  /** They no longer are. True when they were. */
  down(reason: string): boolean
  isLive(): boolean
  /** Nothing is in doubt: everything was read, and whatever changed since was told. */
  isSure(): boolean
}

/** Decides when the whole chain is read: at the start, after every gap, and again and again while nothing is told. */
export function createReadLoop({
  readAll,
  sweep,
  hasDoubts,
  limits: { auditMs, doubtMs, graceMs, pollMs, sweepMs },
  onMode,
  onRepaired,
  onFault,
  signal,
}: {
  /** Returns the number of accounts. */
  readAll(): Promise<number>
  /** Looks at a few known accounts. */
  sweep(): Promise<void>
  /** Whether accounts are missing. */
  hasDoubts(): boolean
  limits: { auditMs: number; doubtMs: number; graceMs: number; pollMs: number; sweepMs: number }
  onMode(mode: IndexMode, reason: string): void
  onRepaired(repair: Repair): void
  onFault(error: unknown): void
  signal: AbortSignal
}): ReadLoop {
  let gap: string | undefined = START
  let isReading = false
  let isLive = false
  let downSinceMs = performance.now()
  let downReason = 'not yet connected'
  let mode: IndexMode | undefined
  let trustedUntilMs = 0
  let restsUntilMs = 0
  let auditAtMs = Number.POSITIVE_INFINITY
  let doubtAtMs = Number.POSITIVE_INFINITY
  let doubtRestsUntilMs = 0
  let wake = () => {}

  function want(reason: string) {
    gap ??= reason
    wake()
  }

  function setMode(next: IndexMode, reason: string) {
    if (mode === next) return
    mode = next
    onMode(next, reason)
  }

  const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {})

  /** Until something is wanted, or for so long. */
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

  async function readOnce(reason: string): Promise<void> {
    const startMs = performance.now()
    gap = undefined
    isReading = true
    try {
      const accounts = await readAll()
      const ms = performance.now() - startMs
      if (reason !== POLLING)
        onRepaired({ reason, isGap: !UNSUSPECTED.has(reason), seconds: ms / 1_000, accounts })
      const nowMs = performance.now()
      auditAtMs = nowMs + auditMs
      doubtRestsUntilMs = nowMs + Math.max(doubtMs, REST_FACTOR * ms)
      doubtAtMs = hasDoubts() ? doubtRestsUntilMs : Number.POSITIVE_INFINITY
      trustedUntilMs = nowMs + Math.max(SUSPICION_REST_MS, SUSPICION_REST_FACTOR * ms)
      restsUntilMs = nowMs + Math.max(isLive ? 0 : pollMs, Math.min(REST_FACTOR * ms, REST_MS_MAX))
    } catch (error) {
      gap ??= reason
      throw error
    } finally {
      isReading = false
    }
  }

  return {
    async run() {
      // Subscribed first, read then: so that nothing falls between the two.
      await idle(graceMs)
      let failures = 0
      let sweepAtMs = performance.now() + sweepMs
      while (!signal.aborted) {
        const isDown = !isLive && performance.now() - downSinceMs >= graceMs
        if (isDown) setMode('polling', downReason)
        if (performance.now() >= auditAtMs) gap ??= AUDIT
        if (performance.now() >= doubtAtMs) gap ??= DOUBT
        try {
          const restMs = restsUntilMs - performance.now()
          if ((gap !== undefined || isDown) && restMs <= 0) await readOnce(gap ?? POLLING)
          else if (performance.now() >= sweepAtMs) {
            await sweep()
            sweepAtMs = performance.now() + sweepMs
          } else await idle(Math.min(IDLE_MS, restMs > 0 ? restMs : IDLE_MS))
          failures = 0
        } catch (error) {
          if (!signal.aborted) onFault(error)
          failures += 1
          await pause(RETRY_MS * 2 ** Math.min(failures, RETRY_DOUBLINGS_MAX))
        }
      }
    },
    want,
    suspect(reason) {
      if (performance.now() > trustedUntilMs) want(reason)
    },
    doubt() {
      doubtAtMs = Math.min(doubtAtMs, Math.max(doubtRestsUntilMs, performance.now()))
      wake()
    },
    live() {
      isLive = true
      want('subscribed')
      setMode('live', 'changes are told')
    },
    down(reason) {
      downReason = reason
      if (!isLive) return false
      isLive = false
      downSinceMs = performance.now()
      return true
    },
    isLive: () => isLive,
    isSure: () => isLive && gap === undefined && !isReading,
  }
}

const POLLING = 'polling'
const START = 'start'
const AUDIT = 'nothing was read for long'
const DOUBT = 'accounts are missing'
/** Then nothing seemed to be missing. */
const UNSUSPECTED: ReadonlySet<string> = new Set([START, AUDIT])
