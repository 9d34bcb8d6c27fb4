import { readFileSync } from 'node:fs'
import { ADDRESS_PATTERN } from '@slipway/schema/address'
import { findInstalled } from './find-installed.ts'
import type { OpenApi } from './openapi-document.ts'

/** The guides in the order of the sidebar. Each is a page of the documentation, which is their only source. */
const GUIDES = [
  { title: 'Sign and submit', file: 'guides/sign-and-submit.md' },
  { title: 'Networks', file: 'guides/networks.md' },
  { title: 'Life of an agent', file: 'guides/life-of-an-agent.md' },
  { title: 'Life of a launch', file: 'guides/life-of-a-launch.md' },
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
    ...JSON.parse(JSON.stringify({ paths, components }), simplify),
  }
}

/** The pattern of an address says nothing to people, and the viewer knows loose objects only in this spelling. */
function simplify(key: string, value: unknown): unknown {
  if (key === 'pattern' && value === ADDRESS_PATTERN) return undefined
  if (key === 'additionalProperties') return true
  return value
}

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
