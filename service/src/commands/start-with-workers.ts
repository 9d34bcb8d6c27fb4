import { createServer, type Server, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { StartReport } from '../boot/start-report.ts'
import { createWorkerPool, type Worker, type WorkerPool } from '../boot/worker-pool.ts'
import type { Config } from '../config.ts'
import { createProxyTrust, limitKey, parseAddress } from '../http/ingress/read-request.ts'
import { networkOf } from '../lib/client-network.ts'
import { PeerGone } from '../lib/peer.ts'
import { createCountExchange, type OwnCounts } from '../lib/shared-counts.ts'
import type { ShutdownList } from '../shutdown.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Readiness } from '../telemetry/readiness.ts'
import type { Foundation } from './start-node.ts'
import { askWorkers, createWorkerReports } from './worker-reports.ts'

/** Longer than a worker takes for its open requests and everything else that it stops. */
const STOP_MS = 7_000

/**
 * Starts the workers, which answer all requests. This process keeps what they share: the port, the database and the chains if
 * they are embedded, the metrics and the readiness of all.
 */
export async function startWithWorkers(
  { workers: count, trustedProxies }: Config,
  foundation: Foundation,
  {
    env,
    metrics,
    log,
    shutdown,
  }: { env: Record<string, string | undefined>; metrics: Metrics; log: Log; shutdown: ShutdownList },
): Promise<{
  app: { ready(): Promise<void>; server: Server }
  readiness: Readiness
  readMetrics(): Promise<string>
  report: StartReport
  drain(): void
}> {
  metrics.workersExpected.set(count)
  const reports = createWorkerReports<Worker>({ metrics, count, serving: () => pool.serving() })
  const { readiness, readMetrics } = reports
  const counts = createCountExchange<Worker>(
    () => pool.serving(),
    (worker, sums) => worker.tell('counts', sums),
  )
  const hung = new Set<Worker>()
  function setHung(worker: Worker, isHung: boolean) {
    if (isHung) hung.add(worker)
    else hung.delete(worker)
    metrics.workersHung.set(hung.size)
    reports.changed()
  }
  let renderer: Worker | undefined
  /** Asks the worker that renders the pages of all. If it ends or hangs, another one takes its place. */
  async function askRenderer(name: string, input?: unknown): Promise<unknown> {
    for (;;) {
      const workers = pool.serving()
      if (!renderer || !workers.includes(renderer)) renderer = workers[0]
      if (!renderer) throw new Error('no worker is ready')
      try {
        return await renderer.ask(name, input)
      } catch (error) {
        if (!(error instanceof PeerGone)) throw error
        // By then, the pool knows that this worker has ended or hangs.
        await nextTurn()
      }
    }
  }
  const pool: WorkerPool<StartReport> = createWorkerPool({
    count,
    program: process.argv[1] as string,
    env,
    log,
    handlersOf: worker => ({
      foundation: () => foundation,
      counts: (changed: OwnCounts) => counts.receive(worker(), changed),
      render: page => askRenderer('render', page),
      errorPages: () => askRenderer('errorPages'),
      metrics: readMetrics,
      readiness: readiness.check,
      async showAll() {
        const others = pool.serving().filter(other => other !== worker())
        await askWorkers(others, 'showAll')
        // Only now: until the worker that renders has caught up, another could keep an old page.
        await askWorkers(others, 'confirmAll')
      },
    }),
    onServing(worker) {
      counts.add(worker)
      setHung(worker, false)
    },
    onSilent(worker) {
      metrics.workerHangs.inc()
      setHung(worker, true)
    },
    onRetired: reports.readMetricsOf,
    onEnded(worker) {
      counts.remove(worker)
      reports.end(worker)
      setHung(worker, false)
    },
  })
  shutdown.add('workers', pool.stop, STOP_MS)
  process.on('SIGHUP', () => {
    log.info({ signal: 'SIGHUP' }, 'replacing the workers one by one')
    void pool.replaceAll()
  })
  const report = await pool.start()

  const routeOf = createRoutes(createProxyTrust(trustedProxies))
  const server = createServer({ pauseOnConnect: true, allowHalfOpen: true, noDelay: true }, socket => {
    pool.handOver(socket, routeOf(socket))
  })
  shutdown.add('connections', () => void server.close())
  return {
    app: { ready: async () => {}, server },
    readiness,
    readMetrics,
    report,
    drain() {
      for (const worker of pool.serving()) worker.tell('drain')
      reports.changed()
    },
  }
}

/**
 * All connections of a client, and of an IPv6 /48, go to one worker, which applies their limits. A proxy's connections carry
 * many clients, so they go to the workers in turn.
 */
function createRoutes(trusts: (address: string) => boolean) {
  let turn = 0
  return ({ remoteAddress = '' }: Socket): number => {
    const address = parseAddress(remoteAddress)
    if (address !== undefined && !trusts(address)) {
      const client = limitKey(address)
      return hash(networkOf(client) ?? client)
    }
    turn += 1
    return turn
  }
}

/** FNV-1a: neighbouring addresses get different keys. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0
  return (value ^ (value >>> 16)) >>> 0
}
