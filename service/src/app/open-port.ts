import { lookup } from 'node:dns/promises'
import { createServer as createNetServer, type Server } from 'node:net'
import type { Config } from '../config.ts'
import { createRateLimiter } from '../http/ingress/rate-limit.ts'
import { createOperationsServer } from '../http/operations.ts'
import { createServer } from '../http/server.ts'
import { OperatorError } from '../operator-error.ts'
import type { ShutdownList } from '../shutdown.ts'
import type { Log } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createStartReadiness, type Readiness } from '../telemetry/readiness.ts'

interface OpenPort {
  /** Replaces the step of start-up that `/readyz` reports. */
  show(step: string): void
  /** From now on, the service answers every new connection. None is refused in between. */
  handOver(service: {
    app: { ready(): PromiseLike<unknown>; server: Server }
    readiness: Readiness
    /** Reads the metrics of all workers instead of this process's own. */
    readMetrics?: () => Promise<string>
  }): Promise<void>
}

const CLOSE_MS = 200
const IDLE_MS = 1_000

/**
 * Opens the port before anything else is started, so that a port in use is reported at once. Until the service takes
 * over, the process is alive but not ready, and every request for the API is refused with 503.
 */
export async function openPort(
  config: Config,
  { metrics, log, shutdown }: { metrics: Metrics; log: Log; shutdown: ShutdownList },
): Promise<OpenPort> {
  const starting = createStartReadiness()
  const hidesDetails = config.metrics.port !== undefined
  const app = createServer({
    endpoints: [],
    limiter: createRateLimiter(config.rateLimits),
    metrics,
    readiness: starting,
    hidesDetails,
    isStarting: true,
    hasStartPage: config.site,
    // A client that keeps its connection would stay with this server after the service has taken over.
    draining: AbortSignal.abort(),
    log: toServerLog(log),
    publicUrl: config.publicUrl,
    connectionsPerClient: config.connectionsPerClient,
    trustedProxies: config.trustedProxies,
  })
  await app.ready()
  const { port, host } = config
  const [address = host, ...otherAddresses] = await resolveHost(host)
  await listen(app.server, { port, host: address }).catch(error => {
    throw explainListenFailure(error, '', { port, host })
  })
  let server: Server = app.server
  const others = otherAddresses.map(() =>
    createNetServer(
      { allowHalfOpen: true, noDelay: true, pauseOnConnect: true },
      socket => void server.emit('connection', socket),
    ),
  )
  await Promise.allSettled(others.map((other, at) => listen(other, { port, host: otherAddresses[at] })))
  const closeOthers = () => others.forEach(other => void other.close())
  shutdown.add(
    'port',
    () => {
      closeOthers()
      app.server.close()
      app.server.closeAllConnections()
    },
    CLOSE_MS,
  )

  let readiness: Readiness = starting
  let readMetrics = () => metrics.registry.metrics()
  if (config.metrics.port !== undefined) {
    const place = { port: config.metrics.port, host: config.metrics.host }
    const operations = createOperationsServer({
      metrics,
      readMetrics: () => readMetrics(),
      readiness: { check: scope => readiness.check(scope) },
    })
    shutdown.add('metrics port', () => operations.close(), CLOSE_MS)
    await operations.listen(place).catch(error => {
      throw explainListenFailure(error, 'METRICS_', place)
    })
  }

  return {
    show: starting.show,
    async handOver(service) {
      await service.app.ready()
      // The system's socket stays open and changes hands, with the connections that it has not yet accepted.
      await listen(service.app.server, app.server)
      server = service.app.server
      readiness = service.readiness
      if (service.readMetrics) readMetrics = service.readMetrics
      shutdown.add('other addresses', closeOthers, CLOSE_MS)
      // A client that has just connected is about to send its request, and still gets a 503.
      setTimeout(() => app.server.closeIdleConnections(), IDLE_MS).unref()
    },
  }
}

/** The log as the HTTP server wants it. */
export const toServerLog = (log: Log) => ({
  warn: (fields: object, message: string) => log.warn(fields, message),
  error: (fields: object, message: string) => log.error(fields, message),
  writeLines: log.isLevelEnabled('info') ? log.writeLines : undefined,
  logsEveryRead: log.isLevelEnabled('debug'),
  worker: log.worker,
})

/** `localhost` has an IPv4 and an IPv6 address, and callers may use either. */
async function resolveHost(host: string): Promise<string[]> {
  if (host !== 'localhost') return [host]
  const found = await lookup(host, { all: true }).catch(() => [])
  return [...new Set(found.map(({ address }) => address))]
}

/** Listens on an address, or on the socket of another server. */
function listen(server: Server, target: { port: number; host: string | undefined } | Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(target, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** The variables that say where to listen are PORT and HOST, with this prefix. */
function explainListenFailure(
  error: NodeJS.ErrnoException,
  prefix: '' | 'METRICS_',
  { port, host }: { port: number; host: string },
): Error {
  const [PORT, HOST] = [`${prefix}PORT`, `${prefix}HOST`]
  if (error.code === 'EADDRINUSE')
    return new OperatorError(
      `${PORT} ${port} is in use. Stop the other process, or set ${PORT} to another port.`,
    )
  if (error.code === 'EACCES')
    return new OperatorError(
      `${PORT} ${port} needs more privileges than this user has. Set ${PORT} to a port above 1023.`,
    )
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new OperatorError(
      `${HOST} ${host} is not an address of this machine. Set ${HOST} to one that is, or to 0.0.0.0 for all.`,
    )
  return error
}
