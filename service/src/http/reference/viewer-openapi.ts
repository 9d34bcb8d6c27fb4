import { GUIDES, readGuide } from './guides.ts'
import type { Json } from './json-schemas.ts'
import type { OpenApi } from './openapi-types.ts'

/** The OpenAPI description as the page shows it: with the guides beside the endpoints. */
export function createViewerOpenApi(openApi: OpenApi, publicUrl: string): object {
  const guides = GUIDES.map(guide => ({
    name: guide.title,
    // The page shows the title itself.
    description: readGuide(guide, publicUrl, ({ title }) => anchorOf(title)).replace(/^# .*\n+/, ''),
  }))
  const { openapi, info, paths, components, tags } = openApi
  return {
    openapi,
    info: {
      title: DOCS_TITLE,
      version: info.version,
      description: INTRODUCTION,
      'x-scalar-sdk-installation': listFirstRequests(publicUrl),
    },
    // Requests go to wherever the page was loaded from.
    servers: [{ url: '' }],
    tags: [...tags, ...guides],
    'x-tagGroups': listSections(openApi).map(({ title, names }) => ({ name: title, tags: names })),
    ...JSON.parse(
      JSON.stringify({ paths, components }).replaceAll(`](${publicUrl}/docs#tag/`, '](#tag/'),
      simplify,
    ),
  }
}

/** The parts of the sidebar. */
export const listSections = ({ tags }: OpenApi): { title: string; names: string[] }[] => [
  { title: 'Endpoints', names: tags.map(({ name }) => name) },
  { title: 'Guides', names: GUIDES.map(({ title }) => title) },
]

/** Where the viewer shows an endpoint's group or a guide. */
export const anchorOf = (name: string): string => `#tag/${name.toLowerCase().replaceAll(' ', '-')}`

export const DOCS_TITLE = 'Slipway API'

/** HTML, because the page shows it before the viewer has loaded. */
export const INTRODUCTION = `<p>Slipway is an HTTP API for on-chain agents, token launches and creator rewards on Solana. It builds
transactions; you sign and submit them. No endpoint needs a credential.</p>
<ul>
<li><a href="${anchorOf('Sign and submit')}">Sign and submit</a> leads from an empty folder to a confirmed withdrawal and claim.</li>
<li><a href="${anchorOf('Life of an agent')}">Life of an agent</a> and <a href="${anchorOf('Life of a launch')}">Life of a launch</a>
show the requests in order.</li>
<li><strong>Test Request</strong> next to an endpoint sends its example, or your edited version.</li>
<li><code>@slipway/client</code> is the typed client for JavaScript and TypeScript. <a href="${anchorOf('Sign and submit')}">Sign and submit</a> installs it.</li>
</ul>
<p>For code generators, the API is described in <a href="openapi.json">JSON</a> and <a href="openapi.yaml">YAML</a>.</p>`

/** The introduction's text for the language that a reader has chosen. */
const listFirstRequests = (publicUrl: string) => [
  {
    lang: 'shell',
    source: `# Which launches are live?
curl '${publicUrl}/v1/launches?status=live'

# Find an agent by a misspelt name.
curl '${publicUrl}/v1/agents?query=tidewtch'

# Follow what happens.
curl -N ${publicUrl}/v1/events`,
  },
  {
    lang: 'js',
    description: `Typed calls with \`@slipway/client\`. [Sign and submit](${anchorOf('Sign and submit')}) shows how to install it.`,
    source: `import { createSlipway } from '@slipway/client'

const slipway = createSlipway({ url: '${publicUrl}' })
console.log(await slipway.launches.spotlight())`,
  },
]

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
