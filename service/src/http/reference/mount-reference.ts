import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../../endpoint/endpoint.ts'
import { createDocsPage, DOCS_POLICY } from './docs-page.ts'
import { createOpenApi } from './openapi.ts'

export interface ReferenceParts {
  endpoints: readonly Endpoint[]
  publicUrl: string
  /** Another listener has the metrics. */
  hidesDetails?: boolean
}

/** The paths for developers, beside the API itself. */
export function mountReference(
  app: FastifyInstance,
  { endpoints, publicUrl, hidesDetails }: ReferenceParts,
): void {
  const openApi = createOpenApi(endpoints, publicUrl)
  if (hidesDetails) delete openApi.paths['/metrics']
  const openApiText = JSON.stringify(openApi)
  const page = createDocsPage(openApi)
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(openApiText),
  )
  app.get('/docs', async (_request, reply) =>
    reply.header('Content-Security-Policy', DOCS_POLICY).type('text/html; charset=utf-8').send(page),
  )
}
