import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { errorBody, errorFamilyOf } from '@slipway/schema/error-family'
import { ERRORS, type ErrorCode } from '@slipway/schema/errors'
import type { RequestRecorder } from '../../telemetry/request-recorder.ts'
import { type RequestContext, setContext } from '../request-context.ts'
import { addCommonHeaders, SECURITY_HEADERS } from '../response/common-headers.ts'
import { createResponseBatch } from '../response/response-batch.ts'
import { sendBody, writeSnapshotHead } from '../response/send-snapshot.ts'
import { createClientAddress, limitKey } from './client-address.ts'
import type { FastPath } from './fast-path.ts'
import { createOpenResponses } from './open-responses.ts'
import type { RateLimiter } from './rate-limit.ts'

interface IngressParts {
  limiter: RateLimiter
  trustedProxies: readonly string[]
  fastPath: FastPath
  recorder: RequestRecorder
  warn(message: string): void
}

export interface Ingress {
  /** Handles every request; `route` takes those that the fast path has no answer for. */
  createHandler(route: RequestHandler): RequestHandler
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
  body: readonly Buffer[]
}

const VALID_REQUEST_ID = /^[\w.:-]{1,128}$/

/** Does what every request needs: an id, common headers, the rate limit, the fast path, and finally log line and metrics. */
export function createIngress({ limiter, trustedProxies, fastPath, recorder, warn }: IngressParts): Ingress {
  const clientAddress = createClientAddress(trustedProxies, () =>
    warn('X-Forwarded-For is sent but TRUST_PROXY is off: all clients behind the proxy share one rate limit'),
  )
  const batch = createResponseBatch(sendReady, recorder.flush)
  const openResponses = createOpenResponses()
  let isDraining = false

  function createContext(request: IncomingMessage): RequestContext {
    const startMs = performance.now()
    const method = request.method ?? 'GET'
    const url = toOriginForm(request.url ?? '')
    request.url = url
    const client = clientAddress(request)
    const sent = request.headers['x-request-id']
    return {
      id: typeof sent === 'string' && VALID_REQUEST_ID.test(sent) ? sent : nextId(),
      method,
      url,
      client,
      startMs,
      allowance: isCounted(method, url)
        ? limiter.take(method === 'GET' || method === 'HEAD' ? 'reads' : 'writes', limitKey(client), startMs)
        : undefined,
      isLast: isDraining,
      route: 'none',
      status: 0,
      ms: 0,
      isAborted: false,
    }
  }

  function handle(request: IncomingMessage, response: ServerResponse, route: RequestHandler) {
    const context = createContext(request)
    const { allowance, method, url } = context
    if (allowance && !allowance.allowed) {
      refuse(response, context, 'TOO_MANY_REQUESTS', ['Retry-After', `${allowance.resetSeconds}`])
      return record(context, response)
    }
    if (request.headers.host === undefined && request.httpVersion === '1.1') {
      refuse(response, context, 'BAD_REQUEST', [])
      return record(context, response)
    }
    const found = fastPath(method, url)
    if (found) {
      context.route = found.route
      const body = writeSnapshotHead(request, response, context, found.answer)
      return batch.add({ context, socket: request.socket, response, body })
    }
    recordWhenSent(context, request.socket, response)
    setContext(request, context)
    route(request, response)
  }

  function sendReady({ context, socket, response, body }: Ready) {
    if (socket.destroyed) {
      context.isAborted = true
      return record(context, response)
    }
    sendBody(response, body)
    // The system often takes even megabytes at once; then there is nothing to wait for. After an error it takes nothing.
    if (response.writableLength === 0 && !socket.errored) record(context, response)
    else recordWhenSent(context, socket, response)
  }

  function recordWhenSent(context: RequestContext, socket: Socket, response: ServerResponse) {
    openResponses.add(socket, response, () => {
      // Node calls a response finished even if its connection broke while it was being sent.
      context.isAborted = !response.writableFinished || socket.destroyed
      record(context, response)
    })
  }

  function record(context: RequestContext, { statusCode }: ServerResponse) {
    context.status = statusCode
    context.ms = performance.now() - context.startMs
    recorder.add(context)
  }

  return {
    createHandler: route => (request, response) => handle(request, response, route),
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

const processId = randomBytes(9).toString('base64url')
let made = 0

/** Unique: a random part for the process, and a number. */
function nextId(): string {
  made += 1
  return `${processId}-${made.toString(36)}`
}

/** Monitoring and preflight requests do not count against a client's limit. */
function isCounted(method: string, url: string): boolean {
  return method !== 'OPTIONS' && (url.length > UNCOUNTED_LENGTH_MAX || !UNCOUNTED.has(url))
}

const UNCOUNTED = new Set(['/healthz', '/readyz', '/readyz?for=reads', '/metrics'])
const UNCOUNTED_LENGTH_MAX = 17

/** A proxy may ask for `http://host/path`: only the path counts. */
function toOriginForm(url: string): string {
  if (url.startsWith('/')) return url
  const path = /^https?:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1]
  if (path === undefined) return url
  return path.startsWith('/') ? path : `/${path}`
}

function refuse(response: ServerResponse, context: RequestContext, code: ErrorCode, headers: string[]) {
  const { method, url } = context
  const { status, text } = ERRORS[code]
  const body = Buffer.from(JSON.stringify(errorBody(errorFamilyOf(method, url), text)))
  const own = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', `${body.length}`]
  response.writeHead(status, addCommonHeaders([...own, ...headers, ...SECURITY_HEADERS], context))
  response.end(method === 'HEAD' ? undefined : body)
}
