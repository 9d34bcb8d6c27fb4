import { readFileSync } from 'node:fs'
import { findInstalled } from './find-installed.ts'
import type { Json } from './json-schemas.ts'
import type { OpenApi } from './openapi-document.ts'

/** The guides in the order of the sidebar. Each is a page of the documentation, which is their only source. */
const GUIDES = [
  { title: 'Sign and submit', file: 'guides/sign-and-submit.md' },
  { title: 'Networks', file: 'guides/networks.md' },
  { title: 'Life of an agent', file: 'guides/life-of-an-agent.md' },
  { title: 'Life of a launch', file: 'guides/life-of-a-launch.md' },
  { title: 'Owner-signed changes', file: 'owner-changes.md' },
  { title: 'Conditional requests', file: 'guides/conditional-requests.md' },
  { title: 'Rate limits', file: 'guides/rate-limits.md' },
  { title: 'Errors', file: 'errors.md' },
] as const

/** The URL in the pages of the documentation. */
const DOCUMENTED_URL = 'http://localhost:8080'

/** The OpenAPI document as the page shows it: with the guides beside the endpoints. */
export function createDocsDocument(openApi: OpenApi, publicUrl: string): object {
  const guides = GUIDES.map(({ title, file }) => ({
    name: title,
    description: toDescription(readFileSync(findInstalled(`docs/${file}`), 'utf8'), publicUrl),
  }))
  const { openapi, info, paths, components, tags } = openApi
  return {
    openapi,
    info: { title: 'Slipway API', version: info.version, description: INTRODUCTION },
    // Requests go to wherever the page was loaded from.
    servers: [{ url: '' }],
    tags: [...tags, ...guides],
    'x-tagGroups': [
      { name: 'Endpoints', tags: tags.map(({ name }) => name) },
      { name: 'Guides', tags: GUIDES.map(({ title }) => title) },
    ],
    ...JSON.parse(
      JSON.stringify({ paths, components }).replaceAll(`](${publicUrl}/docs#tag/`, '](#tag/'),
      simplify,
    ),
  }
}

/** Longer patterns, such as those of addresses and times, say nothing to people. */
const PATTERN_LENGTH_MAX = 20

/** Spells schemas as people read them, and with a type, because the viewer reports every schema that has none. */
function simplify(key: string, value: unknown): unknown {
  if (key === 'pattern' && String(value).length > PATTERN_LENGTH_MAX) return undefined
  if (key === 'additionalProperties') return true
  if (key === 'properties')
    return Object.fromEntries(
      Object.entries(value as Fields).map(([name, field]) => [name, withAnyType(field)]),
    )
  return isUntyped(value) ? withType(value) : value
}

type Fields = Record<string, Json>
type Untyped = Json & { anyOf?: Json[]; oneOf?: Json[] }

const isUntyped = (value: unknown): value is Untyped =>
  typeof value === 'object' && value !== null && ('anyOf' in value || 'oneOf' in value) && !('type' in value)

/** All alternatives in this API are objects, except that some values can be null. */
function withType({ anyOf, ...schema }: Untyped): Json {
  const [first, last] = anyOf ?? []
  if (last?.type !== 'null') return { ...schema, ...(anyOf && { anyOf }), type: 'object' }
  if (typeof first?.type !== 'string') return { ...schema, anyOf, type: ['object', 'null'] }
  return { ...first, ...schema, type: [first.type, 'null'] }
}

const ANY_TYPE = ['string', 'number', 'boolean', 'object', 'array', 'null']

const withAnyType = (field: Json): Json =>
  'type' in field || '$ref' in field ? field : { ...field, type: ANY_TYPE }

const INTRODUCTION = `Slipway is an HTTP API for on-chain agents, token launches and creator rewards on Solana. It
builds transactions; you sign and submit them. No endpoint needs a credential.

New here? [Sign and submit](#tag/sign-and-submit) leads from an empty folder to a confirmed withdrawal. To try an endpoint,
press **Test Request**.

The API is also described as [JSON](openapi.json) and [YAML](openapi.yaml), for code generators.`

/** The page shows the title itself. Links to other pages lead to their guides, or are left out. */
function toDescription(markdown: string, publicUrl: string): string {
  return markdown
    .replace(/^# .*\n+/, '')
    .replaceAll(DOCUMENTED_URL, publicUrl)
    .replace(/\[([^\]]+)\]\((?!https?:|#|\/)([^)#]*)(?:#[^)]*)?\)/g, (_, text: string, target: string) => {
      const guide = GUIDES.find(({ file }) => file.split('/').at(-1) === target.split('/').at(-1))
      return guide ? `[${text}](#tag/${guide.title.toLowerCase().replaceAll(' ', '-')})` : text
    })
}
