import type { LaunchData, LaunchPageInfo } from '@slipway/schema/launch'
import { expect, test } from 'vitest'
import { listedDisplay } from '../agents/describe-agent.ts'
import { saveAgent } from '../store/agents.ts'
import { agentRow } from '../testing/agent-rows.ts'
import { addressOf, launchRows, MINUTE_MS } from '../testing/launch-rows.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { useTestService } from '../testing/test-service.ts'

/** The longest that a document can have: 49 kB. */
const DESCRIPTION = '発'.repeat(16_384)
const LONG_PICTURE = `data:image/png;base64,${'A'.repeat(32_740)}`
const link = (length: number) => `https://a.example/${'x'.repeat(length - 18)}`
const linksOf = (length: number) => ({
  website: link(length),
  socials: { x: link(length), telegram: link(length), discord: link(length) },
})
/** The longest texts that a list shows, in JSON or in HTML, and longer ones, which it shortens or leaves out. */
const WORST = [
  { ...linksOf(300), image: `data:image/png;base64,${'A'.repeat(2_026)}`, description: DESCRIPTION },
  { ...linksOf(2_000), image: LONG_PICTURE, description: DESCRIPTION },
  { ...linksOf(300), image: link(2_048), description: '<"&'.repeat(5_000) },
  { ...linksOf(300), image: `data:image/png;,${'<'.repeat(338)}`, description: 'word '.repeat(3_000) },
]

const LAUNCHES = Array.from({ length: 150 }, (_, at) => {
  const { website, socials, image, description } = WORST[at % WORST.length] as (typeof WORST)[number]
  return launchRows(
    `launch ${at}`,
    {
      ...{ website, socials, heroUrl: 'h'.repeat(512), spotlight: at < 12 },
      lastActivityAt: new Date(Date.now() - at * MINUTE_MS),
      agent: addressOf('agent 0'),
    },
    { name: '"'.repeat(300), symbol: "'".repeat(100), image, description },
  )
})

/** As many as a page of the site. */
const AGENTS = 24

const service = useTestService(() => ({
  launches: LAUNCHES,
  site: true,
  config: {
    rpcUrls: { 'chain-mainnet': ['http://127.0.0.1:9'], 'chain-devnet': [] },
    rpcWsUrls: { 'chain-mainnet': undefined, 'chain-devnet': undefined },
  },
}))

const get = (path: string, headers: Record<string, string> = {}) =>
  rawRequest(service().url, path, { headers })
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

test('whatever documents say, a launch has at most 6 kB in a list, and pages end earlier', async () => {
  const read = async (query: string) => {
    const { status, body, json } = await get(`/v1/launches${query}`, { 'accept-encoding': 'identity' })
    expect(status).toBe(200)
    const { data, page } = json() as { data: LaunchData[]; page: LaunchPageInfo }
    for (const launch of data) expect(bytesOf(launch)).toBeLessThanOrEqual(6_000)
    return { bytes: body.length, data, next: page?.next }
  }
  const whole = await read('')
  expect(whole.data).toHaveLength(150)
  expect((await read('?spotlight=true')).data).toHaveLength(12)
  const page = await read('?limit=50&figures=true')
  expect(page.data).toHaveLength(50)
  expect(page.bytes).toBeLessThanOrEqual(400_000)

  const found: LaunchData[] = []
  let pages = 0
  for (let next: string | null = ''; next !== null; pages += 1) {
    const { data, next: following, bytes } = await read(`?limit=200${next && `&cursor=${next}`}`)
    expect(bytes).toBeLessThanOrEqual(400_000)
    found.push(...data)
    next = following
  }
  expect(pages).toBeGreaterThan(1)
  expect(found).toEqual(whole.data)
})

test('the detail of a launch and of its token keep the whole description, picture and links', async () => {
  for (const { launch, token } of LAUNCHES.slice(0, WORST.length)) {
    const { website, socials } = launch
    const shown = {
      ...{ address: launch.mint, image: token.image },
      description: `${token.description}`.trim(),
    }
    const expected = { data: { website, socials, baseToken: shown } }
    expect((await get(`/v1/launches/${launch.genesisAddress}`)).json()).toMatchObject(expected)
    expect((await get(`/v1/tokens/${launch.mint}`)).json()).toMatchObject(expected)
  }
})

test('a page with long documents is not compressed on request, and every client gets it', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => get('/v1/launches?limit=200', { 'accept-encoding': 'gzip' })),
  )
  for (const { status, headers } of answers)
    expect([status, headers['content-encoding']]).toEqual([200, undefined])
})

test('whatever documents say, the pages of launches and of agents stay small', async () => {
  const { database } = service()
  const skills = Array.from({ length: 64 }, (_, id) => ({
    id: `${id}`,
    name: 'n'.repeat(256),
    description: '発'.repeat(1_500),
    tags: ['t'.repeat(200)],
  }))
  for (let at = 0; at < AGENTS; at += 1) {
    const uri = `https://agents.example/${at}`
    const { image, description } = WORST[at % WORST.length] as (typeof WORST)[number]
    const services = [{ name: 'A2A', endpoint: 'https://agents.example/', skills, domains: [] }]
    const value = { name: `Agent ${at}`, description, image, services }
    const row = agentRow(`${at}`, {
      agentUri: uri,
      documents: { registration: { uri, value, fields: { services } } },
    })
    await saveAgent(database, row, listedDisplay(row))
  }
  const { body, json } = await get('/v1/agents?pageSize=100')
  const { agents } = (json() as { data: { agents: object[] } }).data
  expect(agents).toHaveLength(AGENTS)
  expect(body.length).toBeLessThanOrEqual(AGENTS * 8_000)
  for (const agent of agents) {
    expect(bytesOf(agent)).toBeLessThanOrEqual(8_000)
    expect(agent).toMatchObject({ metadata: null, a2aCard: null, truncated: ['metadata', 'a2aCard'] })
  }
  const entries = (await get('/ard/agents?pageSize=100')).json() as { items: object[] }
  expect(entries.items).toHaveLength(AGENTS)
  for (const entry of entries.items) expect(bytesOf(entry)).toBeLessThanOrEqual(8_000)

  for (const path of ['/', '/agents', '/?sort=newest']) {
    const { status, text } = await get(path, { accept: 'text/html' })
    expect(status).toBe(200)
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(600_000)
  }
})
