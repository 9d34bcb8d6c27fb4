export const API_CATALOG_PATH = '/.well-known/api-catalog'
export const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"; charset=utf-8'

/** Where the API, its descriptions and its status are (RFC 9727), as a set of links (RFC 9264). */
export function createApiCatalog(publicUrl: string): object {
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
