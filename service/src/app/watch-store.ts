import { pause } from '../lib/pause.ts'
import type { Database } from '../store/database.ts'
import { probeStore, type StoreProbe } from '../store/probe-store.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { NotReady, type ReadinessPart } from '../telemetry/readiness.ts'

export interface StoreWatch {
  /** Throws `NotReady` if the database could not write when it was last probed. */
  assertWritable(): void
  clock: ReadinessPart
  start(): void
  close(): void
}

/** Caches may serve a listing for this long, so a smaller difference does no more harm than a cache. */
const CLOCK_MS_MAX = 5_000

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
    metrics.storeWritable.set(probe.refusal ? 0 : 1)
    metrics.clockAhead.set(probe.clockAheadMs / 1_000)
    const { refusal } = probe
    if (refusal && refusal.reason !== last?.refusal?.reason)
      log.error({ err: refusal.error }, `nothing can be stored: ${refusal.reason}`)
    if (last?.refusal && !refusal) log.info({}, 'the database can write again')
    if (isOff(probe) && !isOff(last))
      log.error(
        { seconds: probe.clockAheadMs / 1_000 },
        `this node's clock is ${describeClock(probe)}: launches start at the wrong time here; synchronise the clocks`,
      )
    if (isOff(last) && !isOff(probe)) log.info({}, "this node's clock agrees with the database's again")
    last = probe
  }

  async function run() {
    while (!closed.signal.aborted) {
      // An unreachable database is reported elsewhere. By the time it is back, it may accept what it refused before.
      const probe = await probeStore(database).catch(() => undefined)
      if (closed.signal.aborted) return
      if (probe) note(probe)
      else if (last) last = { ...last, refusal: undefined }
      await pause(probeMs, closed.signal)
    }
  }

  return {
    assertWritable() {
      if (last?.refusal) throw new NotReady(last.refusal.reason)
    },
    clock: {
      name: 'clock',
      // If the database's clock is the wrong one, every node would be unready at once.
      isOptional: true,
      async check() {
        if (!last) return 'not yet compared'
        if (isOff(last)) throw new NotReady(describeClock(last))
        return describeClock(last)
      },
    },
    start: () => void run(),
    close: () => closed.abort(),
  }
}

function describeClock({ clockAheadMs }: StoreProbe): string {
  const seconds = (Math.abs(clockAheadMs) / 1_000).toFixed(1)
  return `${seconds} s ${clockAheadMs < 0 ? 'behind' : 'ahead of'} the database's`
}
