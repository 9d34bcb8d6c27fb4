import { pause } from '../lib/pause.ts'
import { type Database, localOffsetMs } from '../store/database.ts'
import { probeStore, type StoreProbe } from '../store/probe-store.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { NotReady, type ReadinessPart } from '../telemetry/readiness.ts'

export interface StoreWatch {
  /** Throws `NotReady` if the database could not write when it was last probed. */
  assertWritable(): void
  clock: ReadinessPart
  /** Resolves once the clocks are compared, or the database could not be asked. */
  start(): Promise<void>
  close(): void
}

/** Caches may serve a listing for this long, so a smaller difference does no more harm than a cache. */
const CLOCK_MS_MAX = 5_000

/** How often this machine's clock is looked at, and what counts as a change. */
const CLOCK_CHECK_MS = 1_000
const CLOCK_SET_MS_MIN = 1_000

/** Probes the store in the background, so that `/readyz` doesn't wait for a write. */
export function watchStore({
  database,
  metrics,
  log,
  probeMs,
}: {
  database: Database
  metrics: Pick<Metrics, 'storeWritable' | 'clockAhead'>
  log: Record<'info' | 'error', (fields: object, message: string) => void>
  probeMs: number
}): StoreWatch {
  let last: StoreProbe | undefined
  const closed = new AbortController()
  metrics.storeWritable.set(1)
  const isOff = (probe: StoreProbe | undefined) => Math.abs(probe?.clockAheadMs ?? 0) > CLOCK_MS_MAX

  function note(probe: StoreProbe) {
    database.setClock(probe.clockAheadMs)
    metrics.storeWritable.set(probe.refusal ? 0 : 1)
    metrics.clockAhead.set(probe.clockAheadMs / 1_000)
    const { refusal } = probe
    if (refusal && refusal.reason !== last?.refusal?.reason)
      log.error({ err: refusal.error }, `nothing can be stored: ${refusal.reason}`)
    if (last?.refusal && !refusal) log.info({}, 'the database can write again')
    if (isOff(probe) && !isOff(last))
      log.error(
        { seconds: probe.clockAheadMs / 1_000 },
        `this node's clock is ${describeClock(probe)}: the database's time is used; synchronise the clocks`,
      )
    if (isOff(last) && !isOff(probe)) log.info({}, "this node's clock agrees with the database's again")
    last = probe
  }

  async function run(onProbed: () => void) {
    while (!closed.signal.aborted) {
      const offsetMs = localOffsetMs()
      // An unreachable database is reported elsewhere. By the time it is back, it may accept what it refused before.
      const probe = await probeStore(database).catch(() => undefined)
      if (closed.signal.aborted) return onProbed()
      if (probe) note(probe)
      else if (last) last = { ...last, refusal: undefined }
      onProbed()
      await pauseUntilDue(offsetMs)
    }
  }

  /** The next probe is due early if this machine's clock was set since the last one began. */
  async function pauseUntilDue(offsetMs: number) {
    const isSet = () => Math.abs(localOffsetMs() - offsetMs) > CLOCK_SET_MS_MIN
    for (let leftMs = probeMs; leftMs > 0 && !closed.signal.aborted && !isSet(); leftMs -= CLOCK_CHECK_MS)
      await pause(Math.min(leftMs, CLOCK_CHECK_MS), closed.signal)
  }

  return {
    assertWritable() {
      if (last?.refusal) throw new NotReady(last.refusal.reason)
    },
    clock: {
      name: 'clock',
      // Decisions use the database's time, so a wrong clock doesn't stop the node from serving.
      isOptional: true,
      async check() {
        if (!last) return 'not yet compared'
        if (isOff(last)) throw new NotReady(describeClock(last))
        return describeClock(last)
      },
    },
    start: () => new Promise(resolve => void run(resolve)),
    close: () => closed.abort(),
  }
}

function describeClock({ clockAheadMs }: StoreProbe): string {
  const seconds = (Math.abs(clockAheadMs) / 1_000).toFixed(1)
  return `${seconds} s ${clockAheadMs < 0 ? 'behind' : 'ahead of'} the database's`
}
