import { type AgentEntry, agentCatalogue } from './agent-catalogue.ts'
import { heroImage, squareImage } from './images.ts'
import { launchCatalogue } from './launch-catalogue.ts'
import type { LaunchEntry } from './launches/launch-entry.ts'

type ServedDocument = { readonly type: string; readonly body: string }

/** The documents and images of the demo world, by path. The documents of some agents are missing on purpose. */
export function demoDocuments(baseUrl: string): Map<string, ServedDocument> {
  const documents = new Map<string, ServedDocument>()
  const json = (path: string, value: unknown) =>
    documents.set(path, { type: 'application/json', body: JSON.stringify(value, null, 2) })
  const svg = (path: string, body: string) => documents.set(path, { type: 'image/svg+xml', body })

  for (const launch of launchCatalogue) {
    json(`/tokens/${launch.slug}.json`, {
      name: launch.name,
      symbol: launch.symbol,
      description: launch.description,
      image: launchImage(baseUrl, launch),
    })
    svg(`/images/${launch.slug}.svg`, squareImage(launch.name))
    svg(`/heroes/${launch.slug}.svg`, heroImage(launch.name))
  }
  json('/collections/crew.json', {
    name: 'Harbour Crew',
    description: 'Agents of one harbour.',
    image: `${baseUrl}/images/crew.svg`,
  })
  svg('/images/crew.svg', squareImage('Harbour Crew'))
  for (const agent of agentCatalogue) {
    svg(`/agents/${agent.slug}.svg`, squareImage(agent.name))
    json(`/agents/${agent.slug}.json`, {
      name: agent.name,
      description: agent.description,
      image: `${baseUrl}/agents/${agent.slug}.svg`,
    })
    const path = `/registrations/${agent.slug}.json`
    switch (agent.document) {
      case 'rich':
      case 'minimal':
        json(path, registration(baseUrl, agent))
        break
      case 'broken':
        documents.set(path, { type: 'application/json', body: '{"name": "Scrambled", "description": ' })
        break
      case 'huge':
        json(path, { ...registration(baseUrl, agent), ballast: 'x'.repeat(2_000_000) })
        break
      case 'list':
        json(path, ['eggs', 'milk', 'bread'])
        break
    }
  }
  return documents
}

export const launchImage = (baseUrl: string, { slug }: LaunchEntry): string => `${baseUrl}/images/${slug}.svg`
export const tokenUri = (baseUrl: string, { slug }: LaunchEntry): string => `${baseUrl}/tokens/${slug}.json`
export const assetUri = (baseUrl: string, { slug }: AgentEntry): string => `${baseUrl}/agents/${slug}.json`

export function registrationUri(baseUrl: string, agent: AgentEntry): string {
  if (agent.document !== 'inline') return `${baseUrl}/registrations/${agent.slug}.json`
  const text = JSON.stringify({ type: REGISTRATION_TYPE, name: agent.name, description: agent.description })
  return `data:application/json;base64,${Buffer.from(text).toString('base64')}`
}

const REGISTRATION_TYPE = 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1'

function registration(baseUrl: string, agent: AgentEntry): object {
  const required = { type: REGISTRATION_TYPE, name: agent.name, description: agent.description }
  if (agent.document === 'minimal') return required
  return {
    ...required,
    image: `${baseUrl}/agents/${agent.slug}.svg`,
    services: [
      {
        name: 'A2A',
        endpoint: `https://agents.example/${agent.slug}/a2a`,
        version: '0.3.0',
        skills: (agent.skills ?? []).map(([id, name, tag]) => ({
          id,
          name,
          description: `${name}.`,
          tags: [tag],
        })),
      },
      { name: 'MCP', endpoint: `https://agents.example/${agent.slug}/mcp`, version: '2025-06-18' },
    ],
    active: true,
    x402Support: agent.fundsSol > 1,
    supportedTrust: ['reputation'],
  }
}
