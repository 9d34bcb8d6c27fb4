import { setImmediate as nextTurn } from 'node:timers/promises'
import { ERRORS, ServiceError } from '@slipway/schema/errors'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Answer, Endpoint } from '../endpoint/endpoint.ts'
import { prepareSnapshot } from '../endpoint/prepare-snapshot.ts'
import { errorCodeOf, sendError } from './response/send-error.ts'
import { answerClientError } from './ingress/client-error.ts'
import { DOCS_POLICY, docsPage } from './reference/docs-page.ts'
import { type AccessLog, createFrontDoor, exchangeOf, type Lane } from './ingress/ingress.ts'
import { checkReadiness, type ReadinessPart } from '../telemetry/readiness.ts'
import { createListener } from './ingress/listener.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createOpenApi } from './reference/openapi.ts'
import { addOwedHeaders, BODY_GUARDS } from './response/common-headers.ts'
import { createInputParser } from './routing/parse-input.ts'
import { createPathBook } from './routing/allowed-methods.ts'
import type { RateLimiter } from './ingress/rate-limit.ts'
import { beginSnapshot, sendBody } from './response/send-snapshot.ts'

export interface ServerParts {
  endpoints: Endpoint[]
  /** Answer what was prepared, before routing; the first that does not decline. */
  lanes: Lane[]
  limiter: RateLimiter
  metrics: Metrics
  readiness: ReadinessPart[]
  log: AccessLog & { error(fields: object, message: string): void }
  publicUrl: string
  trustedProxies: readonly string[]
}

const BODY_BYTES_MAX = 64 * 1024
const TURNS_TO_READ = 3
const NOT_JSON = Symbol('not JSON')
const JSON_TYPE = 'application/json; charset=utf-8'
const ALLOWED_METHODS = 'GET, HEAD, POST, OPTIONS'

/** The whole HTTP face, not yet listening. Closing it answers the requests that are under way first. */
export function createServer(parts: ServerParts): FastifyInstance {
  const { endpoints, lanes, limiter, metrics, log, trustedProxies } = parts
  const frontDoor = createFrontDoor({
    limiter,
    trustedProxies,
    log,
    metrics,
  })

  const app = Fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    // Requests on open connections are still answered while the server drains.
    return503OnClosing: false,
    forceCloseConnections: false,
    clientErrorHandler(error, socket) {
      frontDoor.sendWaiting()
      answerClientError(error, socket)
    },
    frameworkErrors: (error, request, reply) => {
      owe(request, reply)
      sendError(request, reply, errorCodeOf(error))
    },
    serverFactory: handler => createListener(frontDoor.serve({ lanes, ordinary: handler }), frontDoor),
  })

  const paths = createPathBook()
  /** No route took it: a wrong path, a wrong method, or a browser asking what is allowed. */
  function answerUnmatched(request: FastifyRequest, reply: FastifyReply) {
    const allowed = isOdd(pathOf(request.url)) ? undefined : paths.methodsOf(request.url)
    if (!allowed) return sendError(request, reply, 'NOT_FOUND')
    reply.header('Allow', [...allowed, 'OPTIONS'].join(', '))
    if (request.method !== 'OPTIONS') return sendError(request, reply, 'METHOD_NOT_ALLOWED')
    return reply
      .header('Access-Control-Allow-Methods', ALLOWED_METHODS)
      .header('Access-Control-Allow-Headers', 'Content-Type, If-None-Match, X-Request-Id, *')
      .header('Access-Control-Max-Age', '86400')
      .code(204)
      .send()
  }

  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    if (text === '') return done(null, {})
    try {
      done(null, JSON.parse(text as string))
    } catch {
      // The endpoint knows in which words to refuse it.
      done(null, NOT_JSON)
    }
  })
  app.addHook('onRequest', async (request, reply) => {
    exchangeOf(request.raw).route = request.routeOptions.url ?? 'none'
    owe(request, reply)
    // Before the body is read: nothing about it matters on a path that takes none.
    const path = pathOf(request.url)
    const isReserved = reservedOn(request.routeOptions).some(name => path.endsWith(`/${name}`))
    if (request.is404 || isReserved || isOdd(path)) return answerUnmatched(request, reply)
  })
  app.setErrorHandler((error: Error, request, reply) => {
    const code = errorCodeOf(error)
    if (ERRORS[code].status >= 500) {
      const { cause } = error
      log.error({ requestId: exchangeOf(request.raw).id, err: cause ?? error, code }, 'request failed')
    }
    return sendError(request, reply, code)
  })

  app.addHook('onRoute', route => paths.add(route.url, [route.method].flat(), reservedOn(route)))
  for (const endpoint of endpoints) mount(app, endpoint)
  mountOperations(app, parts)

  app.addHook('preClose', async () => {
    frontDoor.drain()
    // What has arrived is read first: an idle connection that is closed now would be reset with its request.
    for (let turn = 0; turn < TURNS_TO_READ; turn += 1) await nextTurn()
    // A connection becomes idle when its last response is through: nobody else would close it then.
    const timer = setInterval(() => app.server.closeIdleConnections(), 50).unref()
    app.server.once('close', () => clearInterval(timer))
  })
  return app
}

const pathOf = (url: string) => url.split('?', 1)[0] ?? ''

/** An odd spelling of another path: no address holds a character that would have to be encoded, none is empty. */
const isOdd = (path: string) => path.includes('%') || path.endsWith('/')

/** An endpoint's reserved names, which its routes carry along. */
const reservedOn = ({ config }: { config?: unknown }): readonly string[] =>
  (config as Pick<Endpoint, 'reserved'> | undefined)?.reserved ?? []

/** Every response carries what the front door owes the caller. */
function owe(request: FastifyRequest, reply: FastifyReply) {
  const headers = addOwedHeaders([...BODY_GUARDS], exchangeOf(request.raw))
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] as string, headers[at + 1])
}

function mount(app: FastifyInstance, endpoint: Endpoint) {
  const parse = createInputParser(endpoint)
  app.route({
    method: endpoint.method,
    url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
    ...(endpoint.reserved && { config: { reserved: endpoint.reserved } }),
    // What is posted is answered for this caller and this moment: errors too.
    ...(endpoint.method === 'POST' && {
      onRequest: async (_request, reply) => void reply.header('Cache-Control', 'no-store'),
    }),
    async handler(request, reply) {
      const input = parse({
        url: request.url,
        params: request.params as Record<string, string>,
        body: request.body ?? {},
      })
      const answer = await answerOf(endpoint, input)
      return send(request, reply, answer)
    },
  })
}

/** What nobody foresaw is answered in the endpoint's own words; the log has the rest. */
async function answerOf(endpoint: Endpoint, input: unknown): Promise<Answer> {
  try {
    return await endpoint.answer(input as never)
  } catch (error) {
    if (error instanceof ServiceError || !endpoint.unexpected) throw error
    throw new ServiceError(endpoint.unexpected, { cause: error })
  }
}

function send(request: FastifyRequest, reply: FastifyReply, answer: Answer) {
  if (answer.kind === 'json' && answer.cacheControl === undefined) {
    return reply.type(JSON_TYPE).send(JSON.stringify(answer.value))
  }
  reply.hijack()
  const body = beginSnapshot(
    request.raw,
    reply.raw,
    exchangeOf(request.raw),
    answer.kind === 'prepared' ? answer.snapshot : prepareSnapshot(Buffer.from(JSON.stringify(answer.value))),
    answer.cacheControl as string,
  )
  sendBody(reply.raw, body)
}

function mountOperations(app: FastifyInstance, { endpoints, metrics, readiness, publicUrl }: ServerParts) {
  const openApi = createOpenApi(endpoints, publicUrl)
  const openApiText = JSON.stringify(openApi)
  const page = docsPage(openApi)
  app.get('/healthz', async (_request, reply) => reply.type('text/plain').send('ok\n'))
  app.get('/readyz', async (_request, reply) => {
    const { ready, text } = await checkReadiness(readiness)
    return reply
      .code(ready ? 200 : 503)
      .type('text/plain')
      .send(text)
  })
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
  app.get('/openapi.json', async (_request, reply) => reply.type(JSON_TYPE).send(openApiText))
  app.get('/docs', async (_request, reply) =>
    reply.header('Content-Security-Policy', DOCS_POLICY).type('text/html; charset=utf-8').send(page),
  )
}
