import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorBody, errorFamilyOf } from '@slipway/schema/error-family'
import { ERRORS } from '@slipway/schema/errors'
import { createClientAddress, limitKey } from './client-address.ts'
import type { Metrics } from './metrics.ts'
import type { RateLimiter } from './rate-limit.ts'

/** What is known of a request before anybody looks at its path. */
export interface Exchange {
  id: string
  /** The pattern of the path, for metrics: never the path itself, which callers choose. */
  route: string
  /** Header names and values in turn, owed to every response. */
  headers: string[]
}

export interface AccessLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  readonly enabled: boolean
}

export interface FrontDoor {
  serve(handler: Handler): (request: IncomingMessage, response: ServerResponse) => void
  /** From now on every response is the last one on its connection. */
  drain(): void
}

type Handler = (request: IncomingMessage, response: ServerResponse, exchange: Exchange) => void

const SANE_REQUEST_ID = /^[\w.:-]{1,128}$/
const PATH_LOGGED_MAX = 200

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
  secure,
  log,
  metrics,
}: {
  limiter: RateLimiter
  trustedProxies: readonly string[]
  /** Whether the public URL is https. */
  secure: boolean
  log: AccessLog
  metrics: Pick<Metrics, 'requestSeconds'>
}): FrontDoor {
  const clientAddress = createClientAddress(trustedProxies, () =>
    log.warn(
      {},
      'X-Forwarded-For arrives but TRUST_PROXY is off: all clients behind the proxy share one rate limit',
    ),
  )
  const owedToAll = [
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Expose-Headers',
    'ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id',
    'X-Content-Type-Options',
    'nosniff',
    'Content-Security-Policy',
    "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy',
    'no-referrer',
    'Cross-Origin-Resource-Policy',
    'cross-origin',
    ...(secure ? ['Strict-Transport-Security', 'max-age=31536000'] : []),
  ]

  let draining = false

  const serve: FrontDoor['serve'] = handler => (request, response) => {
    const startMs = performance.now()
    const method = request.method ?? 'GET'
    const address = clientAddress(request)
    const sent = request.headers['x-request-id']
    const id = typeof sent === 'string' && SANE_REQUEST_ID.test(sent) ? sent : randomUUID()
    const exchange: Exchange = { id, route: 'none', headers: ['X-Request-Id', id, ...owedToAll] }
    if (draining) exchange.headers.push('Connection', 'close')
    exchanges.set(request, exchange)

    response.once('close', () => {
      const ms = performance.now() - startMs
      const status = response.statusCode
      metrics.requestSeconds.observe({ method, route: exchange.route, status }, ms / 1_000)
      if (!log.enabled) return
      log.info(
        {
          requestId: id,
          method,
          // Without the query, where callers sometimes put what belongs to nobody else.
          path: pathOf(request.url ?? ''),
          status,
          ms: Math.round(ms * 100) / 100,
          client: address,
          ...(response.writableFinished ? {} : { aborted: true }),
        },
        'request',
      )
    })

    if (isCounted(method, request.url ?? '')) {
      const allowance = limiter.take(
        method === 'GET' || method === 'HEAD' ? 'reads' : 'writes',
        limitKey(address),
      )
      if (allowance) {
        exchange.headers.push(
          'RateLimit-Limit',
          `${allowance.limit}`,
          'RateLimit-Remaining',
          `${allowance.remaining}`,
          'RateLimit-Reset',
          `${allowance.resetSeconds}`,
        )
        if (!allowance.allowed) return refuse(request, response, exchange, allowance.resetSeconds)
      }
    }
    handler(request, response, exchange)
  }

  return {
    serve,
    drain() {
      draining = true
    },
  }
}

function isCounted(method: string, url: string): boolean {
  return method !== 'OPTIONS' && url.startsWith('/v1')
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { headers }: Exchange,
  resetSeconds: number,
) {
  const { status, text } = ERRORS.TOO_MANY_REQUESTS
  const family = errorFamilyOf(request.method ?? 'GET', request.url ?? '')
  const body = Buffer.from(JSON.stringify(errorBody(family, text)))
  response.writeHead(status, [
    ...headers,
    'Retry-After',
    `${resetSeconds}`,
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    `${body.length}`,
  ])
  response.end(request.method === 'HEAD' ? undefined : body)
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return url.slice(0, Math.min(end === -1 ? url.length : end, PATH_LOGGED_MAX))
}
