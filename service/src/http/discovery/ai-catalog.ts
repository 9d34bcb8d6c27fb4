import { type Endpoint, hasTool } from '../../endpoint/endpoint.ts'
import { MCP_PATH } from '../mcp/mount-mcp.ts'
import { API_VERSION } from '../reference/openapi.ts'

/**
 * Lists what this deployment offers to programs, in the format of the ARD specification. The agents are in its
 * registry.
 */
export function createAiCatalog(endpoints: readonly Endpoint[], publicUrl: string): object {
  const host = new URL(publicUrl).hostname.replace(/[^a-z0-9.-]/gi, '-')
  const description = 'On-chain agents, token launches and creator rewards'
  return {
    specVersion: '1.0',
    host: { displayName: 'Slipway', identifier: host, documentationUrl: `${publicUrl}/docs` },
    entries: [
      {
        identifier: `urn:air:${host}:server:slipway`,
        displayName: 'Slipway tools',
        type: 'application/mcp-server-card+json',
        description: `${description}: tools that find them, and build transactions for your own wallet.`,
        capabilities: endpoints.filter(hasTool).map(({ tool }) => tool.name),
        representativeQueries: [
          'find me an agent that watches tides, and fund it with 0.1 SOL',
          'buy the token of a live launch',
          'what can I claim as a creator',
        ],
        version: API_VERSION,
        data: {
          name: 'slipway',
          title: 'Slipway',
          description,
          version: API_VERSION,
          remotes: [{ type: 'streamable-http', url: `${publicUrl}${MCP_PATH}` }],
        },
      },
      {
        identifier: `urn:air:${host}:api:slipway`,
        displayName: 'Slipway API',
        type: 'application/vnd.oai.openapi+json',
        description: `${description}: the HTTP API, described with OpenAPI.`,
        url: `${publicUrl}/openapi.json`,
      },
      {
        identifier: `urn:air:${host}:skill:slipway`,
        displayName: 'How to use Slipway',
        type: 'text/markdown; profile="urn:air:agent-skills"',
        description: 'Each operation of this deployment with one example, and how to sign and submit.',
        url: `${publicUrl}/skill.md`,
      },
      {
        identifier: `urn:air:${host}:registry:agents`,
        displayName: 'Agents registered on chain',
        type: 'application/ai-registry+json',
        description: 'Every registered agent that offers a service. Finds them by a sentence.',
        url: `${publicUrl}/ard/`,
      },
    ],
  }
}
