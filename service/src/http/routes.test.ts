import { ERROR_HEADER } from '@slipway/schema/errors'
import { expect, test } from 'vitest'
import { addressOf, launchRecord } from '../testing/launch-rows.ts'
import { startProbeServer } from '../testing/probe-server.ts'
import { rawRequest } from '../testing/raw-request.ts'
import type { SiteParts } from './site/mount-site.ts'
import { createPageVersion } from './site/page-version.ts'
import { createTestBuild } from './site/test-page-program.ts'

const AGENT = addressOf('agent')
const LAUNCH = launchRecord('routes')

/** Each URL with its answers to GET and POST, the methods that it allows, and what a browser gets. */
const ROUTES = [
  ['/v1', '200', '405 launches', 'GET, HEAD', 'json'],
  ['/v1/agents', '200', '405 agents', 'GET, HEAD', 'json'],
  ['/v1/agents/', '404 agents', '404 agents', '', 'json'],
  [`/v1/agents/${AGENT}`, '404 AGENT_NOT_FOUND agents', '405 agents', 'GET, HEAD', 'json'],
  ['/v1/agents/short', '404 AGENT_NOT_FOUND agents', '405 agents', 'GET, HEAD', 'json'],
  ['/v1/agents/mint', '404 AGENT_NOT_FOUND agents', '400 INVALID_INPUT agents', 'GET, HEAD, POST', 'json'],
  [`/v1/agents/${AGENT}/withdraw`, '405 agents', '400 INVALID_INPUT agents', 'POST', 'json'],
  [
    `/v1/agents/${AGENT}/agent-card.json`,
    '404 AGENT_NOT_FOUND agents',
    '405 agents',
    'GET, HEAD, PUT, DELETE',
    'json',
  ],
  [`/v1/agents/${AGENT}/agent-card.json/`, '404 agents', '404 agents', '', 'json'],
  ['/V1/AGENTS', '404 agents', '404 agents', '', 'page'],
  ['/v1/networks/x', '404 launches', '404 launches', '', 'json'],
  ['/v1/networks/x/agents', '404 agents', '404 agents', '', 'json'],
  [
    `/v1/networks/chain-devnet/agents/${AGENT}/agent-card.json`,
    '404 AGENT_NOT_FOUND agents',
    '405 agents',
    'GET, HEAD',
    'json',
  ],
  ['/.well-known/jwks.json', '200', '405 launches', 'GET, HEAD', 'json'],
  ['/.well-known/api-catalog', '200', '405 launches', 'GET, HEAD', 'json'],
  ['/.well-known/ai-catalog.json', '200', '405 launches', 'GET, HEAD', 'json'],
  ['/llms.txt', '200', '405 launches', 'GET, HEAD', 'json'],
  ['/sitemap.xml', '200', '405 launches', 'GET, HEAD', 'json'],
  ['/docs/errors.md', '200', '405 launches', 'GET, HEAD', 'json'],
  ['/mcp', '405 launches', '400 BAD_REQUEST', 'POST', 'json'],
  ['/mcp/', '404 launches', '404 launches', '', 'json'],
  ['/ard/agents', '200', '405', 'GET, HEAD', 'json'],
  ['/ard/agents/x', '404 AGENT_NOT_FOUND', '405', 'GET, HEAD', 'json'],
  ['/ard/search', '405', '400 INVALID_INPUT', 'POST', 'json'],
  ['/ard/explore', '405', '501 NOT_IMPLEMENTED', 'POST', 'json'],
  ['/ard', '404', '404', '', 'json'],
  ['/.well-known/other', '404 launches', '404 launches', '', 'json'],
  ['/v1/documents/x.json', '404 DOCUMENT_NOT_FOUND launches', '405 launches', 'GET, HEAD', 'json'],
  ['/v1/documents/a.b.json', '404 DOCUMENT_NOT_FOUND launches', '405 launches', 'GET, HEAD', 'json'],
  ['/v1/documents/x', '404 launches', '404 launches', '', 'json'],
  ['/v1/social', '404 agents', '404 agents', '', 'json'],
  ['/v1/social/verify', '405 agents', '400 ACCESS_TOKEN_REQUIRED agents', 'POST', 'json'],
  ['/v1/twitter/verify', '405 agents', '400 ACCESS_TOKEN_REQUIRED agents', 'POST', 'json'],
  ['/v1/launches', '200', '405 launches', 'GET, HEAD', 'json'],
  ['//v1/launches', '200', '405 launches', 'GET, HEAD', 'json'],
  ['///v1/launches', '404 launches', '404 launches', '', 'page'],
  ['/v1/launches/', '404 launches', '404 agents', '', 'json'],
  ['/v1//launches', '404 launches', '404 launches', '', 'json'],
  ['/%761/launches', '200', '405 launches', 'GET, HEAD', 'json'],
  ['/%25761/launches', '404 launches', '404 launches', '', 'page'],
  ['/v1/launches%2F', '404 launches', '404 agents', '', 'json'],
  ['/v1/launches?x=1', '200', '405 launches', 'GET, HEAD', 'json'],
  ['/v1/launches;x=1', '404 launches', '404 launches', '', 'json'],
  ['http://host/v1/launches', '200', '405 launches', 'GET, HEAD', 'json'],
  [`/v1/launches/${LAUNCH.genesisAddress}`, '200', '405 agents', 'GET, HEAD', 'json'],
  ['/v1/launches/abc', '404 LAUNCH_NOT_FOUND launches', '405 agents', 'GET, HEAD', 'json'],
  [
    '/v1/launches/register',
    '404 LAUNCH_NOT_FOUND launches',
    '400 INVALID_INPUT agents',
    'GET, HEAD, POST',
    'json',
  ],
  [
    '/v1/launches/create',
    '404 LAUNCH_NOT_FOUND launches',
    '400 VALIDATION_FAILED agents',
    'GET, HEAD, POST',
    'json',
  ],
  ['/v1/launches/register/more', '404 launches', '404 agents', '', 'json'],
  [`/v1/launches/${LAUNCH.genesisAddress}/links`, '405 agents', '405 agents', 'PUT', 'json'],
  ['/v1/launches/abc/links/more', '404 launches', '404 agents', '', 'json'],
  [`/v1/launches/${'x'.repeat(401)}`, '404 launches', '404 agents', 'GET, HEAD', 'json'],
  ['/v1/tokens', '404 launches', '404 launches', '', 'json'],
  [`/v1/tokens/${LAUNCH.mint}`, '200', '405 launches', 'GET, HEAD', 'json'],
  ['/v1/creator-rewards/claim', '405 launches', '400 INVALID_WALLET launches', 'POST', 'json'],
  ['/v1/creator-rewards/claim/probe', '405 launches', '400 INVALID_INPUT launches', 'POST', 'json'],
  ['/v1/events', '200', '405 launches', 'GET, HEAD', 'json'],
  ['/v1/../v1/launches', '404 launches', '404 launches', '', 'json'],
  ['/v1/agents%2Fx', '404 agents', '404 agents', '', 'json'],
  ['/v1/agents/%', '404 agents', '404 agents', '', 'json'],
  [`/v1/agents/${AGENT}/b/c`, '404 agents', '404 agents', '', 'json'],
  ['/v1/social/%c0/?x=1', '404 agents', '404 agents', '', 'json'],
  ['/v1/tokens/%E0%A4%A', '404 launches', '404 launches', '', 'json'],
  ['/v1/./launches', '404 launches', '404 launches', '', 'json'],
  ['/%', '404 launches', '404 launches', '', 'json'],
  ['/__proto__', '404 launches', '404 launches', '', 'page'],
  ['/openapi.json', '200', '405 launches', 'GET, HEAD', 'json'],
  ['/docs', '200', '405 launches', 'GET, HEAD', 'page'],
  ['/docs/none.js', '404 launches', '405 launches', 'GET, HEAD', 'json'],
  ['/docs/a/b', '404 launches', '404 launches', '', 'page'],
  ['/healthz', '200', '405 launches', 'GET, HEAD', 'json'],
  ['/healthz/', '404 launches', '404 launches', '', 'json'],
  ['/readyz?for=x', '400 INVALID_INPUT', '405 launches', 'GET, HEAD', 'json'],
  ['/', '200', '405 launches', 'GET, HEAD', 'page'],
  ['/launches/new', '200', '405 launches', 'GET, HEAD', 'page'],
  ['/launches/short', '200', '405 launches', 'GET, HEAD', 'page'],
  ['/launches', '404 launches', '404 launches', '', 'page'],
  ['/agents/new', '200', '405 launches', 'GET, HEAD', 'page'],
  ['/rewards', '200', '405 launches', 'GET, HEAD', 'page'],
  ['/status', '200', '405 launches', 'GET, HEAD', 'page'],
  ['/STATUS', '404 launches', '404 launches', '', 'page'],
  ['/status/', '404 launches', '404 launches', '', 'page'],
  ['/assets/none.js', '404 launches', '405 launches', 'GET, HEAD', 'json'],
  ['/assets', '404 launches', '404 launches', '', 'json'],
  ['/demo/keys', '404 launches', '405 launches', 'GET, HEAD', 'json'],
  ['/nowhere', '404 launches', '404 launches', '', 'page'],
] as const

const createSite = (): SiteParts => ({
  build: Promise.resolve(createTestBuild()),
  settings: {
    publicUrl: 'https://slipway.example',
    networks: [],
    rpc: {},
    isEmbedded: false,
    isDemo: false,
    hasDemoWallet: false,
  },
  pictureOrigin: undefined,
  demoKeys: { accounts: [] },
  version: createPageVersion(() => 0),
  earlierFiles: { keep: async () => {}, find: async () => undefined },
  observer: {
    onBuilt() {},
    onRendered() {},
    onWaiting() {},
    onRefused() {},
    onThreadEnded() {},
    onFailed(error) {
      throw error
    },
  },
})

/** The status, the code unless it follows from the status, and the shape of the error. */
function describe({ status, headers, text }: Awaited<ReturnType<typeof rawRequest>>): string {
  const code = headers[ERROR_HEADER.toLowerCase()]
  const shape = text.startsWith('{"success":false')
    ? 'agents'
    : text.startsWith('{"error":{')
      ? 'launches'
      : ''
  const isPlain = code === 'NOT_FOUND' || code === 'METHOD_NOT_ALLOWED'
  return [status, isPlain ? '' : code, shape].filter(Boolean).join(' ')
}

test('every spelling of a URL is answered, refused and described as the table says', async () => {
  const { url } = await startProbeServer({ launches: [LAUNCH], site: createSite() })
  const ask = (path: string, method: string, accept = '*/*') =>
    rawRequest(url, path, { method, headers: { accept } })
  // Error pages exist once the first page has been rendered.
  await ask('/', 'GET')
  const answers = []
  for (const [path] of ROUTES) {
    const [get, head, post, patch, options, page] = await Promise.all([
      ask(path, 'GET'),
      ask(path, 'HEAD'),
      ask(path, 'POST'),
      ask(path, 'PATCH'),
      ask(path, 'OPTIONS'),
      ask(path, 'GET', 'text/html'),
    ])
    expect([path, head.status, patch.headers.allow]).toEqual([path, get.status, options.headers.allow])
    const isPage = page.headers['content-type']?.startsWith('text/html')
    const allow = (options.headers.allow ?? '').replace(', OPTIONS', '')
    answers.push([path, describe(get), describe(post), allow, isPage ? 'page' : 'json'])
  }
  expect(answers).toEqual(ROUTES)
})

test('no page is sent before its files are stored, because other nodes may be asked for them', async () => {
  let store = () => {}
  const stored = new Promise<void>(resolve => {
    store = resolve
  })
  const earlierFiles = { keep: () => stored, find: async () => undefined }
  const { url } = await startProbeServer({ launches: [LAUNCH], site: { ...createSite(), earlierFiles } })
  const ask = async () => (await rawRequest(url, '/', { headers: { accept: 'text/html' } })).status
  expect(await ask()).toBe(503)
  store()
  await expect.poll(ask).toBe(200)
})
