import { NETWORKS } from '@slipway/schema/network'
import { sql } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { NotReady, type ReadinessPart } from './http/health.ts'
import { createMetrics } from './http/metrics.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import { listEndpoints } from './http/routes.ts'
import { createServer } from './http/server.ts'
import { createLaunchSnapshots } from './launches/launch-snapshots.ts'
import type { Log } from './log.ts'
import type { ShutdownList } from './shutdown.ts'
import { type Changes, listenForChanges } from './store/changes.ts'
import { type ConnectionOptions, openDatabase } from './store/database.ts'
import { readAllLaunches, readLaunches } from './store/launches.ts'

/** Composes everything that serves, once. What it starts is on the shutdown list when it returns. */
export function createContext(
  config: Config,
  connection: ConnectionOptions,
  { log, shutdown }: { log: Log; shutdown: ShutdownList },
) {
  const metrics = createMetrics()
  const database = openDatabase(connection, {
    onQuery: (query, seconds, failed) =>
      metrics.storeSeconds.observe({ query, outcome: failed ? 'failed' : 'ok' }, seconds),
    onConnectionLost: error => log.warn({ err: error }, 'a database connection was lost'),
  })
  shutdown.add('database', database.close)

  const snapshots = createLaunchSnapshots({
    source: {
      readAll: () => readAllLaunches(database),
      read: (network, addresses) => readLaunches(database, network, addresses),
    },
    publicUrl: config.publicUrl,
    observer: {
      onUpdated(launches, seconds) {
        if (launches > 0) metrics.listingUpdateSeconds.observe(seconds)
        for (const network of NETWORKS) metrics.launches.set({ network }, snapshots.of(network).size)
      },
      onFailed(error) {
        metrics.listingUpdateFailures.inc()
        log.error(
          { err: error },
          'the listings could not be updated; they stay as they are and it is tried again',
        )
      },
    },
  })
  shutdown.add('listings', snapshots.close)

  let changes: Changes | undefined
  shutdown.add('launch changes', () => changes?.close())

  const readiness: ReadinessPart[] = [
    {
      name: 'store',
      async check() {
        const start = performance.now()
        await database.run('readiness', db => db.execute(sql`SELECT 1`))
        return `answered in ${(performance.now() - start).toFixed(1)} ms`
      },
    },
    {
      name: 'listings',
      async check() {
        if (!changes?.listening) throw new NotReady('changes are not heard, what is shown may be old')
        return NETWORKS.map(network => `${snapshots.of(network).size} launches on ${network}`).join(', ')
      },
    },
  ]

  const app = createServer({
    endpoints: listEndpoints({ snapshots }),
    snapshots,
    limiter: createRateLimiter(config.rateLimits),
    metrics,
    readiness,
    log: {
      warn: (fields, message) => log.warn(fields, message),
      error: (fields, message) => log.error(fields, message),
      writeLine: log.isLevelEnabled('info') ? log.writeLine : undefined,
    },
    publicUrl: config.publicUrl,
    trustedProxies: config.trustedProxies,
  })
  // Registered last, so drained first; whoever is still reading then is cut off.
  shutdown.add('http', () => drain(app), DRAIN_MS + 300)

  /** Begins to follow the store; resolves when the listings show what it held at the call. */
  async function load() {
    changes = listenForChanges(connection, {
      onChanged(kind, network, addresses) {
        if (kind === 'launches') snapshots.changed(network, addresses)
      },
      onEverything() {
        metrics.listening.set(1)
        snapshots.everythingChanged()
      },
      onLost(error) {
        metrics.listening.set(0)
        log.warn({ err: error }, 'changes of launches are not heard; listening again soon')
      },
    })
    await changes.started
    await snapshots.caughtUp()
  }

  return { app, database, snapshots, metrics, load }
}

/** Short enough for everything behind it to stop within ten seconds in all. */
const DRAIN_MS = 4_000

async function drain(app: FastifyInstance): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
  await app.close()
  clearTimeout(timer)
}
