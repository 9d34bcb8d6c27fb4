import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorBody, errorFamilyOf } from '@slipway/schema/error-family'
import { ERRORS } from '@slipway/schema/errors'
import { formatAccessLine } from './access-log.ts'
import { createClientAddress, limitKey } from './client-address.ts'
import type { Metrics } from './metrics.ts'
import { BODY_GUARDS, type Exchange, withOwedHeaders } from './owed-headers.ts'
import type { RateLimiter } from './rate-limit.ts'

/** Where requests are written down; absent when nobody wants to read it. */
export interface AccessLog {
  writeLine?: ((line: string) => void) | undefined
  warn(fields: object, message: string): void
}

export interface FrontDoor {
  serve(ways: Ways): (request: IncomingMessage, response: ServerResponse) => void
  /** From now on every response is the last one on its connection. */
  drain(): void
}

interface Ways {
  /** Answers at once what was prepared; `declined` leaves the request to the ordinary way. */
  short(request: IncomingMessage, response: ServerResponse, exchange: Exchange): Sent | 'declined'
  ordinary(request: IncomingMessage, response: ServerResponse): void
}

/** Whether the system has taken the whole response, or parts of it still wait for the caller to read. */
export type Sent = 'handed over' | 'sending'

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
  let draining = false

  const serve: FrontDoor['serve'] = ways => (request, response) => {
    const startMs = performance.now()
    const { method = 'GET', url = '' } = request
    const address = clientAddress(request)
    const sent = request.headers['x-request-id']
    const id = typeof sent === 'string' && SANE_REQUEST_ID.test(sent) ? sent : nextId()
    const allowance = isCounted(method, url)
      ? limiter.take(method === 'GET' || method === 'HEAD' ? 'reads' : 'writes', limitKey(address))
      : undefined
    const exchange: Exchange = { id, allowance, isLast: draining, route: 'none' }

    function record() {
      const ms = performance.now() - startMs
      const status = response.statusCode
      metrics.requests.observe(method, exchange.route, status, ms / 1_000)
      if (!log.writeLine) return
      const path = pathOf(url)
      const aborted = !response.writableEnded || response.destroyed !== response.writableFinished
      log.writeLine(
        formatAccessLine({ requestId: id, method, path, status, ms, client: address, aborted }, Date.now()),
      )
    }

    if (allowance && !allowance.allowed) {
      refuse(request, response, exchange, allowance.resetSeconds)
      return record()
    }
    const way = ways.short(request, response, exchange)
    if (way === 'handed over') return record()
    response.once('close', record)
    if (way === 'sending') return
    exchanges.set(request, exchange)
    ways.ordinary(request, response)
  }

  return {
    serve,
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

function isCounted(method: string, url: string): boolean {
  return method !== 'OPTIONS' && url.startsWith('/v1')
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  resetSeconds: number,
) {
  const { status, text } = ERRORS.TOO_MANY_REQUESTS
  const family = errorFamilyOf(request.method ?? 'GET', request.url ?? '')
  const body = Buffer.from(JSON.stringify(errorBody(family, text)))
  const own = ['Retry-After', `${resetSeconds}`, 'Content-Type', 'application/json; charset=utf-8']
  own.push('Content-Length', `${body.length}`, ...BODY_GUARDS)
  response.writeHead(status, withOwedHeaders(exchange, own))
  response.end(request.method === 'HEAD' ? undefined : body)
}

function pathOf(url: string): string {
  const end = url.indexOf('?')
  return url.slice(0, Math.min(end === -1 ? url.length : end, PATH_LOGGED_MAX))
}
