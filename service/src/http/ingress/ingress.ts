import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errorBody, errorFamilyOf } from '@slipway/schema/error-family'
import { ERRORS, type ErrorCode } from '@slipway/schema/errors'
import { createClientAddress, limitKey } from './client-address.ts'
import type { Exchange } from '../request-context.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { createOutbox } from '../response/response-batch.ts'
import { addOwedHeaders, BODY_GUARDS } from '../response/common-headers.ts'
import type { RateLimiter } from './rate-limit.ts'
import { createRequestRecorder } from '../../telemetry/request-recorder.ts'
import { sendBody } from '../response/send-snapshot.ts'
import { createUnfinished } from './open-responses.ts'

/** Where requests are written down; absent when nobody wants to read it. */
export interface AccessLog {
  writeLines?: ((lines: string) => void) | undefined
  warn(fields: object, message: string): void
}

export interface FrontDoor {
  serve(ways: Ways): (request: IncomingMessage, response: ServerResponse) => void
  /** The connections on which a response is still on its way. */
  busySockets(): Set<Socket>
  /** Answers that wait for the end of the turn are sent now. */
  sendWaiting(): void
  /** From now on every response is the last one on its connection. */
  drain(): void
}

/**
 * Writes the head of an answer that was prepared, and returns the body for the front door to send. Without one the request
 * is left to the next lane, or to the ordinary way.
 */
export type Lane = (
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
) => readonly Buffer[] | undefined

interface Ways {
  lanes: readonly Lane[]
  ordinary(request: IncomingMessage, response: ServerResponse): void
}

/** An answer whose head is written. */
interface Ready {
  exchange: Exchange
  socket: Socket
  response: ServerResponse
  body: readonly Buffer[]
}

const SANE_REQUEST_ID = /^[\w.:-]{1,128}$/

const exchanges = new WeakMap<IncomingMessage, Exchange>()

export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = exchanges.get(request)
  if (!exchange) throw new Error('a request came in past the front door')
  return exchange
}

/**
 * What every request meets whichever way it is answered: an id, the headers owed to all, its budget,
 * and at the end its line in the log and its place in the metrics.
 */
export function createFrontDoor({
  limiter,
  trustedProxies,
  log,
  metrics,
}: {
  limiter: RateLimiter
  trustedProxies: readonly string[]
  log: AccessLog
  metrics: Pick<Metrics, 'requests'>
}): FrontDoor {
  const clientAddress = createClientAddress(trustedProxies, () =>
    log.warn(
      {},
      'X-Forwarded-For arrives but TRUST_PROXY is off: all clients behind the proxy share one rate limit',
    ),
  )
  const recorder = createRequestRecorder(metrics.requests, log.writeLines)
  let draining = false

  const outbox = createOutbox<Ready>(sendReady, recorder.writeDown)
  const unfinished = createUnfinished()

  const serve: FrontDoor['serve'] = ways => (request, response) => {
    const startMs = performance.now()
    const method = request.method ?? 'GET'
    const url = toOriginForm(request.url ?? '')
    request.url = url
    const client = clientAddress(request)
    const sent = request.headers['x-request-id']
    const id = typeof sent === 'string' && SANE_REQUEST_ID.test(sent) ? sent : nextId()
    const allowance = isCounted(method, url)
      ? limiter.take(method === 'GET' || method === 'HEAD' ? 'reads' : 'writes', limitKey(client), startMs)
      : undefined
    const exchange: Exchange = {
      id,
      method,
      url,
      client,
      startMs,
      allowance,
      isLast: draining,
      route: 'none',
      status: 0,
      ms: 0,
      isAborted: false,
    }
    if (allowance && !allowance.allowed) {
      refuse(request, response, exchange, 'TOO_MANY_REQUESTS', ['Retry-After', `${allowance.resetSeconds}`])
      return record(exchange, response)
    }
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      refuse(request, response, exchange, 'BAD_REQUEST', [])
      return record(exchange, response)
    }
    for (const lane of ways.lanes) {
      const body = lane(request, response, exchange)
      if (body) return outbox.add({ exchange, socket: request.socket, response, body })
    }
    recordWhenSent(exchange, request.socket, response)
    exchanges.set(request, exchange)
    ways.ordinary(request, response)
  }

  function sendReady({ exchange, socket, response, body }: Ready) {
    if (socket.destroyed) {
      exchange.isAborted = true
      return record(exchange, response)
    }
    sendBody(response, body)
    // Even megabytes are often taken by the system at once; then there is no end to wait for. What it refused is gone, too.
    if (response.writableLength === 0 && !socket.errored) record(exchange, response)
    else recordWhenSent(exchange, socket, response)
  }

  function recordWhenSent(exchange: Exchange, socket: Socket, response: ServerResponse) {
    unfinished.add(socket, response, () => {
      // A response whose connection broke while it was being sent is said to be finished, too.
      exchange.isAborted = !response.writableFinished || socket.destroyed
      record(exchange, response)
    })
  }

  function record(exchange: Exchange, { statusCode }: ServerResponse) {
    exchange.status = statusCode
    exchange.ms = performance.now() - exchange.startMs
    recorder.add(exchange)
  }

  return {
    serve,
    busySockets() {
      outbox.empty()
      return unfinished.sockets()
    },
    sendWaiting: outbox.empty,
    drain() {
      draining = true
    },
  }
}

const processId = randomBytes(9).toString('base64url')
let made = 0

/** Unlike any other: a random part for the process, and a number. */
function nextId(): string {
  made += 1
  return `${processId}-${made.toString(36)}`
}

/** Those who watch over the service, and browsers that ask what is allowed, spend nobody's budget. */
function isCounted(method: string, url: string): boolean {
  return method !== 'OPTIONS' && (url.length > UNCOUNTED_LENGTH_MAX || !UNCOUNTED.has(url))
}

const UNCOUNTED = new Set(['/healthz', '/readyz', '/metrics'])
const UNCOUNTED_LENGTH_MAX = 8

/** A proxy may ask for `http://host/path`: what counts is the path. */
function toOriginForm(url: string): string {
  if (url.startsWith('/')) return url
  const path = /^https?:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1]
  if (path === undefined) return url
  return path.startsWith('/') ? path : `/${path}`
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  code: ErrorCode,
  headers: string[],
) {
  const { status, text } = ERRORS[code]
  const family = errorFamilyOf(request.method ?? 'GET', request.url ?? '')
  const body = Buffer.from(JSON.stringify(errorBody(family, text)))
  const own = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', `${body.length}`]
  response.writeHead(status, addOwedHeaders([...own, ...headers, ...BODY_GUARDS], exchange))
  response.end(request.method === 'HEAD' ? undefined : body)
}
