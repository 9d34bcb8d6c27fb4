import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode } from '@slipway/schema/errors'
import type { ConnectionError } from 'fastify'
import type { Body } from '../../endpoint/endpoint.ts'
import type { CatchUp } from '../../lib/catch-up.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { RequestRecorder } from '../../telemetry/request-recorder.ts'
import { NO_ROUTE, type RequestContext, setContext } from '../request-context.ts'
import { writePreflightHead } from '../response/common-headers.ts'
import { type RefusalPage, refuse } from '../response/send-error.ts'
import { createResponseBatch, NO_BODY, sendBody, writeSnapshotHead } from '../response/send-snapshot.ts'
import type { RouteTable } from '../route-table.ts'
import { describeClientError, refuseSocket } from './client-error.ts'
import { type Connection, type Connections, createConnections, createTurns } from './connections.ts'
import type { FastPath } from './fast-path.ts'
import { createPacedQueue, type LoadShedder } from './load-shedder.ts'
import { createOpenResponses } from './open-responses.ts'
import type { RateLimiter } from './rate-limit.ts'
import {
  budgetOf,
  createClientAddress,
  createProxyTrust,
  hasPlainHeaders,
  isMonitoring,
  limitKey,
  normalizeUrl,
} from './read-request.ts'

interface IngressParts {
  limiter: RateLimiter
  connectionsPerClient: number
  trustedProxies: readonly string[]
  metrics: Pick<Metrics, 'connectionsClosed' | 'requestsShed'>
  fastPath: FastPath
  routes: Pick<RouteTable, 'methodsAt'>
  /** The error for an unknown path. */
  unknownPath: ErrorCode
  shedder: LoadShedder
  recorder: RequestRecorder
  catchUp?: Pick<CatchUp, 'isCurrent' | 'show'> | undefined
  /** The page for a client that has used up its limit; undefined if it did not ask for a page. */
  findLimitPage?(request: IncomingMessage): RefusalPage | undefined
  warn(message: string): void
}

export interface Ingress {
  connections: Connections
  /** Handles every request; `route` takes those that the fast path has no answer for. */
  createHandler(route: RequestHandler): RequestHandler
  /** Answers a request that Node could not parse, after the earlier requests on the same connection. */
  answerClientError(error: ConnectionError, socket: Socket): void
  /** The connections on which a response is not sent completely. */
  busySockets(): Set<Socket>
  /** Sends the responses that wait for the end of the event loop's turn. */
  flush(): void
  /** From now on every response is the last one on its connection. */
  drain(): void
}

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void

/** A response whose head is written. */
interface Ready {
  context: RequestContext
  socket: Socket
  response: ServerResponse
  body: Body
}

const VALID_REQUEST_ID = /^[\w.:-]{1,128}$/
/** An overloaded node recovers within a second. */
const SHED_RETRY_SECONDS = 1

/**
 * Does what every request needs: an id, common headers, the limits, the fast path, and finally log line and metrics.
 */
export function createIngress(parts: IngressParts): Ingress {
  const { limiter, metrics, fastPath, routes, shedder, recorder, catchUp, warn } = parts
  const currentTurn = createTurns()
  const trusts = createProxyTrust(parts.trustedProxies)
  const connections = createConnections({
    perClientMax: parts.connectionsPerClient,
    trusts,
    currentTurn,
    onClosed: reason => metrics.connectionsClosed.inc({ reason }),
  })
  const clientAddress = createClientAddress(trusts, () =>
    warn('X-Forwarded-For is sent but TRUST_PROXY is off: all clients behind the proxy share one rate limit'),
  )
  const batch = createResponseBatch(sendReady, recorder.flush)
  const openResponses = createOpenResponses()
  // Most clients wait for a response before they send the next request, so pacing refusals also slows down their
  // requests.
  const refusals = createPacedQueue<Pick<Ready, 'response' | 'context'>>(({ response, context }) =>
    shed(response, context),
  )
  let isDraining = false

  function createContext(request: IncomingMessage, connection: Connection): RequestContext {
    const startMs = performance.now()
    const method = request.method ?? 'GET'
    const url = normalizeUrl(request.url ?? '')
    request.url = url
    const client = clientAddress(request, connection)
    const clientKey = connection.isProxy ? limitKey(client) : connection.clientKey
    const sent = request.headers['x-request-id']
    return {
      id: typeof sent === 'string' && VALID_REQUEST_ID.test(sent) ? sent : nextId(),
      method,
      url,
      client,
      startMs,
      allowance: limiter.take(budgetOf(method, url), clientKey, startMs),
      connection,
      isLast: isDraining,
      route: NO_ROUTE,
      status: 0,
      ms: 0,
      headMs: undefined,
      isAborted: false,
    }
  }

  /** For a worker that has hung: it reads what it missed before it answers. If it can't, the answer is a 503. */
  async function handleWhenCurrent(
    request: IncomingMessage,
    response: ServerResponse,
    route: RequestHandler,
  ) {
    const isShown = await catchUp?.show()
    if (!request.socket.destroyed) handle(request, response, route, !isShown)
  }

  function handle(request: IncomingMessage, response: ServerResponse, route: RequestHandler, isLate = false) {
    const { socket } = request
    const connection = connections.of(socket)
    connection.lastRequest = request
    const context = createContext(request, connection)
    const { allowance, method, url } = context
    if (isLate) {
      refuse(response, context, 'SERVICE_UNAVAILABLE', { retryAfterSeconds: SHED_RETRY_SECONDS })
      return record(context, response)
    }
    if (allowance && !allowance.allowed) {
      if (connections.countRefusal(connection)) context.isLast = true
      refuse(response, context, 'TOO_MANY_REQUESTS', {
        retryAfterSeconds: allowance.resetSeconds,
        page: parts.findLimitPage?.(request),
      })
      return record(context, response)
    }
    if (!hasPlainHeaders(request)) {
      connection.isClosing = true
      context.isLast = true
      refuse(response, context, 'BAD_REQUEST')
      return record(context, response)
    }
    // Routing would cost more than the answer.
    if (method === 'OPTIONS') return answerPreflight(socket, response, context)
    const { route: known, answer } = fastPath(method, url)
    if (known) context.route = known.name
    if (answer) {
      const body = writeSnapshotHead(request, response, context, answer)
      return batch.add({ context, socket, response, body })
    }
    setContext(request, context)
    recordWhenSent(context, socket, response)
    if (isMonitoring(url)) return route(request, response)
    const limit = known?.endpoint && shedder.limitOf(known.endpoint)
    if (limit?.isFull()) return refusals.add({ response, context })
    afterNextRead(() => {
      if (!socket.writable) metrics.requestsShed.inc({ reason: 'gone' })
      // Other requests that arrived at the same time may have been admitted since.
      else if (limit?.isFull()) refusals.add({ response, context })
      else route(request, response)
    })
  }

  function answerPreflight(socket: Socket, response: ServerResponse, context: RequestContext) {
    const methods = routes.methodsAt(context.url)
    if (methods.length > 0) {
      writePreflightHead(response, context, methods)
      return batch.add({ context, socket, response, body: NO_BODY })
    }
    refuse(response, context, parts.unknownPath)
    return record(context, response)
  }

  function shed(response: ServerResponse, context: RequestContext) {
    metrics.requestsShed.inc({ reason: 'in_flight' })
    refuse(response, context, 'SERVICE_UNAVAILABLE', { retryAfterSeconds: SHED_RETRY_SECONDS })
  }

  function sendReady({ context, socket, response, body }: Ready) {
    if (socket.destroyed) {
      context.isAborted = true
      return record(context, response)
    }
    sendBody(response, body)
    // The system often takes even megabytes at once. Then there is nothing to wait for. After an error, it takes
    // nothing.
    if (response.writableEnded && response.writableLength === 0 && !socket.errored) record(context, response)
    else recordWhenSent(context, socket, response)
  }

  function recordWhenSent(context: RequestContext, socket: Socket, response: ServerResponse) {
    openResponses.add(socket, response, () => {
      // Node calls a response finished even if its connection broke while it was being sent. Most streams end that way.
      context.isAborted = context.headMs === undefined && (!response.writableFinished || socket.destroyed)
      record(context, response)
    })
  }

  function record(context: RequestContext, { statusCode }: ServerResponse) {
    context.status = statusCode
    context.ms = performance.now() - context.startMs
    recorder.add(context)
  }

  return {
    connections,
    createHandler: route => (request, response) =>
      !catchUp || catchUp.isCurrent() || isMonitoring(normalizeUrl(request.url ?? ''))
        ? handle(request, response, route)
        : void handleWhenCurrent(request, response, route),
    answerClientError(error, socket) {
      batch.flush()
      const connection = connections.of(socket)
      // After the last response, it doesn't matter what the client sends.
      if (connection.isClosing && error.code !== 'ECONNRESET') return
      connection.isClosing = true
      if (error.code === 'ECONNRESET') return void socket.destroy()
      const { requestLine, code } = describeClientError(error)
      const answer = () => refuseSocket(socket, requestLine, code)
      // If a request's body is malformed, its handler would wait for the rest of the body and never answer.
      if (connection.lastRequest?.complete === false) answer()
      else openResponses.whenSent(socket, answer)
    },
    busySockets() {
      batch.flush()
      return openResponses.sockets()
    },
    flush: batch.flush,
    drain() {
      isDraining = true
    },
  }
}

/** Calls back once the event loop has read everything that has arrived by now, including closed connections. */
function afterNextRead(callback: () => void) {
  setImmediate(() => setImmediate(callback))
}

const processId = randomBytes(9).toString('base64url')
let made = 0

/** Unique: a random part for the process, and a number. */
function nextId(): string {
  made += 1
  return `${processId}-${made.toString(36)}`
}
