import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import type { Endpoint } from '../../endpoint/endpoint.ts'
import { type DiscoveryParts, mountDiscovery } from '../discovery/mount-discovery.ts'
import { SECURITY_HEADERS } from '../response/common-headers.ts'
import { mountDocsPage } from './docs-page.ts'
import { API_VERSION, createOpenApi, type OpenApiOptions } from './openapi.ts'
import type { OpenApi } from './openapi-types.ts'
import { mountFile } from './static-file.ts'

export interface ReferenceParts extends OpenApiOptions {
  endpoints: readonly Endpoint[]
  /** Whether there is a site for the page to link to. */
  hasSite: boolean
  /** Absent: programs find only the API. */
  discovery?: DiscoveryParts | undefined
}

/** A deployment may have other endpoints or examples from its next restart on. */
const CACHE_CONTROL = 'public, max-age=60'

/** The paths for developers, beside the API itself. Nothing is built before it is first requested. */
export function mountReference(
  app: FastifyInstance,
  { endpoints, hasSite, discovery, ...options }: ReferenceParts,
): void {
  let openApi: OpenApi | undefined
  const getOpenApi = () => {
    openApi ??= createOpenApi(endpoints, options)
    return openApi
  }
  for (const path of ['/openapi.json', '/v1/openapi.json'])
    mountFile(app, path, {
      contentType: 'application/json; charset=utf-8',
      cacheControl: CACHE_CONTROL,
      read: () => Buffer.from(JSON.stringify(getOpenApi())),
    })
  for (const path of ['/openapi.yaml', '/v1/openapi.yaml'])
    mountFile(app, path, {
      contentType: 'application/yaml; charset=utf-8',
      cacheControl: CACHE_CONTROL,
      read: () => Buffer.from(stringify(getOpenApi(), { aliasDuplicateObjects: false, lineWidth: 0 })),
    })
  mountFile(app, API_CATALOG_PATH, {
    contentType: API_CATALOG_TYPE,
    cacheControl: CACHE_CONTROL,
    headers: [...SECURITY_HEADERS, 'Link', `<${API_CATALOG_PATH}>; rel="api-catalog"`],
    read: () => Buffer.from(JSON.stringify(createApiCatalog(options.publicUrl))),
  })
  mountFile(app, '/v1', {
    contentType: 'application/json; charset=utf-8',
    cacheControl: CACHE_CONTROL,
    read: () => Buffer.from(JSON.stringify(describeRoot(options.publicUrl))),
  })
  if (discovery) mountDiscovery(app, { ...discovery, endpoints, getOpenApi, publicUrl: options.publicUrl })
  mountDocsPage(app, { getOpenApi, publicUrl: options.publicUrl, hasSite })
}

const API_CATALOG_PATH = '/.well-known/api-catalog'
const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"; charset=utf-8'

/** The answer for people who open the base URL. */
const describeRoot = (publicUrl: string) => ({
  name: 'Slipway',
  version: API_VERSION,
  docs: `${publicUrl}/docs`,
  openapi: `${publicUrl}/openapi.json`,
  catalog: `${publicUrl}${API_CATALOG_PATH}`,
})

/** Where the API, its descriptions and its status are (RFC 9727), as a set of links (RFC 9264). */
function createApiCatalog(publicUrl: string): object {
  return {
    linkset: [
      {
        anchor: `${publicUrl}${API_CATALOG_PATH}`,
        item: [{ href: `${publicUrl}/v1`, title: 'Slipway' }],
      },
      {
        anchor: `${publicUrl}/v1`,
        'service-desc': [
          { href: `${publicUrl}/openapi.json`, type: 'application/json' },
          { href: `${publicUrl}/openapi.yaml`, type: 'application/yaml' },
        ],
        'service-doc': [{ href: `${publicUrl}/docs`, type: 'text/html' }],
        status: [{ href: `${publicUrl}/readyz`, type: 'text/plain' }],
      },
    ],
  }
}
