import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../../endpoint/endpoint.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { checkReadiness, type ReadinessPart } from '../../telemetry/readiness.ts'
import { createDocsPage, DOCS_POLICY } from '../reference/docs-page.ts'
import { createOpenApi } from '../reference/openapi.ts'

export interface OperationParts {
  endpoints: readonly Endpoint[]
  metrics: Metrics
  readiness: readonly ReadinessPart[]
  publicUrl: string
}

/** The paths for operators and developers, beside the API itself. */
export function mountOperations(
  app: FastifyInstance,
  { endpoints, metrics, readiness, publicUrl }: OperationParts,
): void {
  const openApi = createOpenApi(endpoints, publicUrl)
  const openApiText = JSON.stringify(openApi)
  const page = createDocsPage(openApi)
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
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(openApiText),
  )
  app.get('/docs', async (_request, reply) =>
    reply.header('Content-Security-Policy', DOCS_POLICY).type('text/html; charset=utf-8').send(page),
  )
}
