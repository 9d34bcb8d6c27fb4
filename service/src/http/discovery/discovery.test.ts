import { expect, test } from 'vitest'
import { hasTool } from '../../endpoint/endpoint.ts'
import { DESCRIBED_ENDPOINTS } from '../../testing/described-endpoints.ts'
import { launchRecord } from '../../testing/launch-rows.ts'
import { useProbeServer } from '../../testing/probe-server.ts'

const BASE = 'https://slipway.example'
const LISTED = launchRecord('listed')

const server = useProbeServer({ launches: [LISTED] })

async function get(path: string) {
  const response = await fetch(`${server().url}${path}`)
  const type = response.headers.get('content-type') ?? ''
  return { status: response.status, type, text: await response.text() }
}

test('the catalog names the tools, the API, the skill and the registry of this deployment', async () => {
  const { text } = await get('/.well-known/ai-catalog.json')
  expect((await get('/.well-known/ard.json')).text).toBe(text)
  const { specVersion, entries } = JSON.parse(text)
  expect(specVersion).toBe('1.0')
  expect(entries.map(({ identifier }: { identifier: string }) => identifier)).toEqual(
    ['server:slipway', 'api:slipway', 'skill:slipway', 'registry:agents'].map(
      name => `urn:air:slipway.example:${name}`,
    ),
  )
  for (const entry of entries) expect('url' in entry !== 'data' in entry).toBe(true)
})

test('robots.txt leads to the catalog and to the sitemap, which has the pages of launches', async () => {
  const robots = (await get('/robots.txt')).text
  expect(robots).toContain(`\nAgentmap: ${BASE}/.well-known/ai-catalog.json\n`)
  expect(robots).toContain(`\nSitemap: ${BASE}/sitemap.xml\n`)
  const { type, text } = await get('/sitemap.xml')
  expect(type).toBe('application/xml; charset=utf-8')
  expect([...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => url)).toEqual([
    `${BASE}/`,
    `${BASE}/launches/${LISTED.genesisAddress}`,
  ])
})

test('every link of llms.txt to this deployment is served', async () => {
  const { type, text } = await get('/llms.txt')
  expect(type).toBe('text/plain; charset=utf-8')
  const links = [...text.matchAll(/\]\(https:\/\/slipway\.example([^)]*)\)/g)].map(
    ([, path]) => path as string,
  )
  expect(links.length).toBeGreaterThan(10)
  for (const path of links.filter(each => each !== '/mcp'))
    expect([path, (await get(path)).status]).toEqual([path, 200])
})

test('the skill has one example for each operation, about this deployment', async () => {
  const { type, text } = await get('/skill.md')
  expect(type).toBe('text/markdown; charset=utf-8')
  expect(text).toMatch(/^---\nname: slipway\ndescription: .*\n---\n/)
  expect(text).not.toContain('localhost')
  for (const { method, path, tool } of DESCRIBED_ENDPOINTS.filter(hasTool))
    expect(text).toContain(`\`${method} ${path}\` (tool \`${tool.name}\`)\n\n\`\`\`sh\ncurl `)
  for (const [, example = ''] of text.matchAll(/```sh\n([\s\S]*?)```/g))
    expect(example).not.toMatch(/undefined|\{\w+\}'/)
})

test('a guide in Markdown links to the other guides where they are served', async () => {
  const { type, text } = await get('/docs/sign-and-submit.md')
  expect(type).toBe('text/markdown; charset=utf-8')
  expect(text).toMatch(/^# Sign and submit\n/)
  expect(text).not.toMatch(/\]\([\w-]+\.md/)
})
