import { ERROR_HEADER, ERRORS, type ErrorCode, errorBody } from '@slipway/schema/errors'
import Fastify, { type FastifyInstance } from 'fastify'
import { parseQuery } from '../endpoint/parse-url.ts'
import { createCachedCall } from '../lib/kept-reads.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Readiness } from '../telemetry/readiness.ts'

export interface OperationParts {
  metrics: Metrics
  /** Reads the metrics of all workers instead. */
  readMetrics?: () => Promise<string>
  readiness: Readiness
  /** Another listener has the metrics and the details of readiness. */
  hidesDetails?: boolean
}

const QUERY_NAMES: ReadonlySet<string> = new Set(['for'])
/** Anyone may ask as often as they like, and collecting all metrics takes milliseconds, so answers are cached. */
const METRICS_KEPT_MS = 1_000

/** The paths for operators, beside the API itself. */
export function mountOperations(
  app: FastifyInstance,
  { metrics, readMetrics, readiness, hidesDetails = false }: OperationParts,
): void {
  app.get('/healthz', async (_request, reply) => reply.type('text/plain').send('ok\n'))
  app.get('/readyz', async (request, reply) => {
    reply.type('text/plain')
    const purpose = parseQuery(request.url, QUERY_NAMES).for
    if (purpose !== undefined && purpose !== 'reads')
      return reply
        .code(400)
        .header(ERROR_HEADER, 'INVALID_INPUT' satisfies ErrorCode)
        .send('for must be "reads" or absent\n')
    const { status, text } = await describeReadiness({ readiness, hidesDetails }, purpose ?? 'all')
    if (status === 503) reply.header(ERROR_HEADER, 'SERVICE_UNAVAILABLE' satisfies ErrorCode)
    return reply.code(status).send(text)
  })
  if (hidesDetails) return
  const findMetrics = createCachedCall(
    async () => Buffer.from(await (readMetrics ?? metrics.registry.metrics.bind(metrics.registry))()),
    METRICS_KEPT_MS,
  )
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await findMetrics()),
  )
}

/** The answer of `/readyz`. */
export async function describeReadiness(
  { readiness, hidesDetails = false }: Pick<OperationParts, 'readiness' | 'hidesDetails'>,
  scope: 'all' | 'reads',
): Promise<{ status: number; text: string }> {
  const { ready, text } = await readiness.check(scope)
  return {
    status: ready ? 200 : 503,
    text: hidesDetails ? (ready ? 'ready\n' : 'not ready\n') : text,
  }
}

/** The server for operators only, not yet listening: health, readiness with all details, and metrics. */
export function createOperationsServer(
  parts: Pick<OperationParts, 'metrics' | 'readMetrics' | 'readiness'>,
): FastifyInstance {
  const app = Fastify({
    logger: false,
    forceCloseConnections: true,
    connectionTimeout: 30_000,
    requestTimeout: 10_000,
  })
  app.setNotFoundHandler((_request, reply) =>
    reply
      .code(ERRORS.NOT_FOUND.status)
      .header(ERROR_HEADER, 'NOT_FOUND' satisfies ErrorCode)
      .send(errorBody('launches', 'NOT_FOUND')),
  )
  mountOperations(app, parts)
  return app
}
