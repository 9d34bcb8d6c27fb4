import { createHash } from 'node:crypto'
import { type AgentEntry, agentCatalogue, type LaunchEntry, launchCatalogue } from './catalogue.ts'

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

/** An SVG of hills and a sun, whose shapes and colours depend only on the name. */
function squareImage(name: string): string {
  return svgImage(name, 512, 512, initials(name))
}

function heroImage(name: string): string {
  return svgImage(name, 1600, 500, '')
}

function svgImage(name: string, width: number, height: number, label: string): string {
  const random = seeded(name)
  const hue = Math.floor(random() * 360)
  const colour = (shift: number, saturation: number, light: number) =>
    `hsl(${(hue + shift) % 360} ${saturation}% ${light}%)`
  const hills = [0.55, 0.7, 0.85].map((level, index) => {
    const points = Array.from({ length: 9 }, (_, at) => {
      const x = Math.round((width * at) / 8)
      const y = Math.round(height * (level + (random() - 0.5) * 0.18))
      return `${x},${y}`
    })
    return `<polygon points="0,${height} ${points.join(' ')} ${width},${height}" fill="${colour(index * 14, 45, 46 - index * 11)}"/>`
  })
  // Initials are in the middle, so beside them the sun is in a corner.
  const sunX = label ? (random() < 0.5 ? 0.2 : 0.8) : 0.2 + random() * 0.6
  const sunY = label ? 0.18 : 0.32
  const sun = `<circle cx="${Math.round(width * sunX)}" cy="${Math.round(height * sunY)}" r="${Math.round(height * (label ? 0.09 : 0.13))}" fill="${colour(40, 90, 82)}"/>`
  const text = label
    ? `<text x="50%" y="62%" font-family="system-ui, sans-serif" font-weight="600" font-size="${Math.round(height * 0.34)}" fill="#fff" text-anchor="middle">${label}</text>`
    : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"><defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="${colour(0, 62, 56)}"/><stop offset="1" stop-color="${colour(32, 72, 80)}"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#s)"/>${sun}${hills.join('')}${text}</svg>`
}

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .map(word => word.charAt(0).toUpperCase())
    .filter(letter => /[A-Z]/.test(letter))
    .slice(0, 2)
    .join('')

/** A pseudo-random number generator that is seeded with the name. */
function seeded(name: string): () => number {
  let state = createHash('sha256').update(name).digest().readUInt32LE(0)
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
