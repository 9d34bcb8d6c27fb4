import { EXAMPLE_ADDRESSES, type ExampleAddresses } from '@slipway/schema/example-addresses'
import { type Endpoint, TAGS, type Tag } from '../../endpoint/endpoint.ts'
import { describeEndpoint, HEADERS } from './describe-endpoint.ts'
import { createSchemaCollector } from './json-schemas.ts'
import type { OpenApi } from './openapi-types.ts'
import { OPERATOR_PATHS } from './operator-paths.ts'

export interface OpenApiOptions {
  publicUrl: string
  /** The addresses that the examples have in this deployment. */
  exampleAddresses?: ExampleAddresses | undefined
  /** Another listener has the metrics. */
  hidesDetails?: boolean
}

/** The version of the API's description. */
export const API_VERSION = '1.0.0'

/** Builds the OpenAPI description from the endpoints themselves. */
export function createOpenApi(
  endpoints: readonly Endpoint[],
  { publicUrl, exampleAddresses = {}, hidesDetails = false }: OpenApiOptions,
): OpenApi {
  const { schemas, toSchema } = createSchemaCollector()
  const paths: OpenApi['paths'] = {}
  for (const endpoint of endpoints) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: describeEndpoint(endpoint, { toSchema, publicUrl }),
    }
  }
  Object.assign(paths, OPERATOR_PATHS)
  if (hidesDetails) delete paths['/metrics']
  const used = new Set(Object.values(paths).flatMap(path => Object.values(path).flatMap(({ tags }) => tags)))
  return localize(
    { publicUrl, exampleAddresses },
    {
      openapi: '3.1.1',
      info: {
        title: 'Slipway',
        version: API_VERSION,
        summary: 'On-chain agents, token launches and creator rewards.',
        description: DESCRIPTION,
        contact: { name: 'The operator of this service', url: publicUrl },
        license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      security: [],
      tags: Object.entries(TAGS)
        .filter(([name]) => used.has(name as Tag))
        .map(([name, description]) => ({ name, description })),
      paths,
      components: { schemas, headers: HEADERS },
      externalDocs: { url: `${publicUrl}/docs`, description: 'Reference and guides' },
    },
  )
}

const DESCRIPTION = `An HTTP API for on-chain agents, token launches and creator rewards on Solana. The service builds
transactions; you sign and submit them. No endpoint needs a credential.

Every response has an \`X-Request-Id\`. Include it when you report a problem. Every error has a \`Slipway-Error\` header with its
code.`

/** The examples are about this deployment, and links to guides work outside of the page that shows them. */
function localize(
  { publicUrl, exampleAddresses }: { publicUrl: string; exampleAddresses: ExampleAddresses },
  openApi: OpenApi,
): OpenApi {
  let text = JSON.stringify(openApi)
    .replaceAll('](#tag/', `](${publicUrl}/docs#tag/`)
    .replaceAll(EXAMPLE_URL, publicUrl)
  // Addresses are long and random, so their texts stand for nothing else in the description.
  for (const [name, address] of Object.entries(exampleAddresses))
    text = text.replaceAll(EXAMPLE_ADDRESSES[name as keyof ExampleAddresses], address)
  return JSON.parse(text)
}

/** The service in the examples. */
const EXAMPLE_URL = 'https://slipway.example'
