import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { ERRORS, type ErrorCode, ServiceError } from '@slipway/schema/errors'
import type { Network } from '@slipway/schema/network'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { CatchUp } from '../lib/catch-up.ts'
import { REQUEST_MS_MAX } from '../lib/deadline.ts'
import { messageOf } from '../lib/without-values.ts'
import { createLogSampler } from '../telemetry/log-sampler.ts'
import { type AccessLog, createRequestRecorder } from '../telemetry/request-recorder.ts'
import { createFastPath } from './ingress/fast-path.ts'
import { createIngress, type Ingress } from './ingress/ingress.ts'
import { createListener } from './ingress/listener.ts'
import { createLoadShedder } from './ingress/load-shedder.ts'
import type { RateLimiter } from './ingress/rate-limit.ts'
import { createErrorHelp } from './mcp/explain-error.ts'
import { mountMcp } from './mcp/mount-mcp.ts'
import { mountEndpoint } from './mount-endpoint.ts'
import { describeReadiness, mountOperations, type OperationParts } from './operations.ts'
import { mountReference, type ReferenceParts } from './reference/mount-reference.ts'
import { contextOf, NO_ROUTE } from './request-context.ts'
import { addCommonHeaders, addRateLimitHeaders, SECURITY_HEADERS } from './response/common-headers.ts'
import { errorCodeOf, sendError } from './response/send-error.ts'
import { createRouteTable, type RouteTable } from './route-table.ts'
import { mountSite, type Site, type SiteParts } from './site/mount-site.ts'
import { mountUnavailablePages } from './site/unavailable-page.ts'

export interface ServerParts extends OperationParts, Omit<ReferenceParts, 'hasSite'> {
  limiter: RateLimiter
  /** Open connections per client address; 0 disables the limit. */
  connectionsPerClient: number
  /** The time limit of a request, whatever it waits for. */
  requestMs?: number
  /** How long a slot of a network takes, as it was measured; undefined before. */
  slotMsOf?: (network: Network) => number | undefined
  /** How many requests to one endpoint may be in flight. */
  inFlightMax?: number
  log: ServerLog
  trustedProxies: readonly string[]
  /** Absent: only the API is served. */
  site?: SiteParts | undefined
  /** What a request waits for in a worker that has hung. Absent: this process is the whole node. */
  catchUp?: Pick<CatchUp, 'isCurrent' | 'show'> | undefined
  /** Set while only the paths for operators can be answered. */
  isStarting?: boolean
  /** Whether people get a page meanwhile. */
  hasStartPage?: boolean
  /** From its abort on, every response is the last one on its connection. Everything is still answered. */
  draining?: AbortSignal
}

interface ServerLog extends AccessLog {
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

interface Failure {
  requestId: string
  err: unknown
  code: ErrorCode
}

/** Upstream failures that callers can provoke by what they send. They say nothing about this service. */
const CALLER_FAULTS = new Set<ErrorCode>(['SOCIAL_USERNAME_MISSING'])
const BODY_BYTES_MAX = 64 * 1024
const TURNS_TO_READ = 3
const CLOSE_IDLE_MS = 50
const NOT_JSON = Symbol('not JSON')

/** The HTTP server, not yet listening. Closing it first answers the requests in progress. */
export function createServer(parts: ServerParts): FastifyInstance {
  const { endpoints, limiter, connectionsPerClient, requestMs, metrics, log, trustedProxies } = parts
  const shedder = createLoadShedder(parts.inFlightMax)
  const routes = createRouteTable()
  const unknownPath = parts.isStarting ? 'SERVICE_UNAVAILABLE' : 'NOT_FOUND'
  const recorder = createRequestRecorder(metrics.requests, log)
  const onShed = () => metrics.requestsShed.inc({ reason: 'in_flight' })
  let site: Site | undefined
  const ingress = createIngress({
    limiter,
    connectionsPerClient,
    trustedProxies,
    metrics,
    shedder,
    fastPath: createFastPath(routes),
    routes,
    unknownPath,
    recorder,
    catchUp: parts.catchUp,
    findLimitPage: request => site?.findErrorPage(request, 429),
    warn: message => log.warn({}, message),
  })
  const logFailure = createLogSampler<Failure>((failure, leftOut) => {
    const level = CALLER_FAULTS.has(failure.code) ? 'warn' : 'error'
    log[level]({ ...failure, ...(leftOut > 0 && { leftOut }) }, 'request failed')
  })
  const reportFailure = (error: Error, code: ErrorCode, requestId: string) => {
    if (isRefusal(error)) return
    const cause = error.cause instanceof Error ? error.cause : error
    logFailure(`${code} ${messageOf(cause)}`, { requestId, err: cause, code })
  }
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    // The URN of an agent has the deployment's host name in it.
    routerOptions: { maxParamLength: 400 },
    // Requests on open connections are still answered while the server drains.
    return503OnClosing: false,
    forceCloseConnections: false,
    clientErrorHandler: ingress.answerClientError,
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply)
      sendError(request, reply, errorCodeOf(error))
    },
    serverFactory: route => createListener(ingress.createHandler(route), ingress),
  })
  parseJsonBodies(app)
  app.addHook('onRoute', routes.add)
  answerUnmatched(app, { routes, unknownPath }, (request, reply) => site?.sendErrorPage(request, reply, 404))
  app.setErrorHandler((error: Error, request, reply) => {
    // The client has gone before its request was complete: no answer reaches it.
    const code = request.raw.readableAborted ? 'BAD_REQUEST' : errorCodeOf(error)
    if (ERRORS[code].status >= 500) reportFailure(error, code, contextOf(request.raw).id)
    return sendError(request, reply, code, error)
  })
  for (const endpoint of endpoints)
    mountEndpoint(app, endpoint, {
      requestMs,
      limit: shedder.limitOf(endpoint),
      onShed,
    })
  mountOperations(app, parts)
  if (!parts.isStarting) {
    mountReference(app, { ...parts, hasSite: parts.site !== undefined })
    const { publicUrl } = parts
    mountMcp(app, {
      origins: new Set([new URL(publicUrl).origin]),
      load: async () =>
        (await import('./mcp/create-mcp.ts')).createMcp(endpoints, {
          ...{ publicUrl, limiter, shedder, recorder, onShed, requestMs: requestMs ?? REQUEST_MS_MAX },
          slotMsOf: parts.slotMsOf,
          explain: createErrorHelp(),
          onFailure: reportFailure,
        }),
    })
  }
  if (parts.hasStartPage) mountUnavailablePages(app)
  if (parts.site) site = mountSite(app, parts.site, routes, () => describeReadiness(parts, 'all'))
  if (parts.draining?.aborted) ingress.drain()
  parts.draining?.addEventListener('abort', ingress.drain, { once: true })
  drainOnClose(app, ingress)
  return app
}

/** An answer that was decided on, such as 501, says all there is to say. Its line in the access log is enough. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError && (error.cause === undefined || isRefusal(error.cause))

function parseJsonBodies(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, {})
    try {
      done(null, JSON.parse(text as string))
    } catch {
      // The endpoint decides on the error.
      done(null, NOT_JSON)
    }
  })
}

/** Answers a wrong path or a wrong method. */
function answerUnmatched(
  app: FastifyInstance,
  { routes, unknownPath }: { routes: RouteTable; unknownPath: ErrorCode },
  /** Undefined if the client did not ask for a page. */
  sendPage: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined,
) {
  app.addHook('onRequest', async (request, reply) => {
    setCommonHeaders(request, reply)
    if (contextOf(request.raw).route !== NO_ROUTE) return undefined
    // Before the body is read: on a path that takes no body, an invalid one does not matter.
    const allowed = routes.methodsAt(request.url)
    if (allowed.length === 0) return sendPage(request, reply) ?? sendError(request, reply, unknownPath)
    reply.header('Allow', [...allowed, 'OPTIONS'].join(', '))
    return sendError(request, reply, 'METHOD_NOT_ALLOWED')
  })
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply) {
  const context = contextOf(request.raw)
  const headers = addRateLimitHeaders(addCommonHeaders([...SECURITY_HEADERS], context), context)
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1])
}

/** Requests that have arrived are read first: closing their connections as idle would reset them. */
async function readArrived() {
  for (let turn = 0; turn < TURNS_TO_READ; turn += 1) await nextTurn()
}

function drainOnClose(app: FastifyInstance, ingress: Ingress) {
  app.addHook('preClose', async () => {
    ingress.drain()
    await readArrived()
    // A connection that becomes idle only after its last response would otherwise stay open.
    const timer = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_MS).unref()
    app.server.once('close', () => clearInterval(timer))
  })
}

/** Closes a server after its open requests. Clients that are still reading after `limitMs` are disconnected. */
export async function drainServer(app: FastifyInstance, limitMs: number): Promise<void> {
  const timer = setTimeout(() => app.server.closeAllConnections(), limitMs)
  await app.close()
  // Fastify closes only a port that it has opened itself.
  if (app.server.listening) await new Promise(resolve => app.server.close(resolve))
  clearTimeout(timer)
}

/** Serves connections that another process has accepted. */
export function serveHandedOver({ server }: FastifyInstance) {
  const sockets = new Set<Socket>()
  // Node applies the time limits for requests from this event on.
  server.emit('listening')
  return {
    receive(socket: Socket) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      // The server does the same on connections that it accepts itself.
      socket.allowHalfOpen = true
      server.emit('connection', socket)
    },
    /** Waits for open requests, which closing the server would not do. The server must be draining. */
    async drain(limitMs: number) {
      const endMs = performance.now() + limitMs
      await readArrived()
      while (sockets.size > 0 && performance.now() < endMs) {
        server.closeIdleConnections()
        await sleep(CLOSE_IDLE_MS)
      }
    },
  }
}
