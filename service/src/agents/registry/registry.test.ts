import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { setAgentHidden } from '../../store/curated-agents.ts'
import { useDemo } from '../../testing/demo.ts'
import { useTestService } from '../../testing/test-service.ts'
import { parseUrn, publisherOf } from './registry-entry.ts'

const world = useDemo()
const node = useTestService(() => ({ config: { ...world.config(), indexer: true } }))
beforeAll(async () => {
  await vi.waitFor(async () => expect((await search('patchbot', ON_MAINNET)).results).not.toEqual([]), {
    timeout: 60_000,
    interval: 500,
  })
})
// biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of the answers
type Json = any

async function send(path: string, body?: object): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${node().url}${path}`, {
    ...(body && {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  return { status: response.status, body: await response.json() }
}

const search = async (text: string, more: object = {}): Promise<Json> =>
  (await send('/ard/search', { query: { text, ...more } })).body

const ON_MAINNET = { filter: { 'metadata.network': 'chain-mainnet' } }

/** As the specification's schema has it. */
const IDENTIFIER = /^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$/

/** The chains are still being indexed, and a search that takes too long finds less. */
const settled = (check: () => Promise<void>) => () => vi.waitFor(check, { timeout: 60_000, interval: 300 })

test(
  'a sentence finds an agent, whose entry leads to its card',
  settled(async () => {
    const sentence = 'find me something that repairs a broken build in continuous integration'
    const { results } = await search(sentence, ON_MAINNET)
    const { address } = world.agent('patchbot')
    expect(results[0]).toMatchObject({
      identifier: `urn:air:slipway.example:agent:chain-mainnet:${address}`,
      displayName: 'Patchbot',
      type: 'application/a2a-agent-card+json',
      url: `https://slipway.example/v1/agents/${address}/agent-card.json`,
      score: expect.any(Number),
      source: 'https://slipway.example/ard',
    })
    expect(results[0].identifier).toMatch(IDENTIFIER)
    for (const { score } of results) expect(Number.isInteger(score) && score > 0 && score <= 100).toBe(true)
    const scores = results.map(({ score }: Json) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    const { status, body } = await send(`/ard/agents/${encodeURIComponent(results[0].identifier)}`)
    const { score: _, source: _source, ...entry } = results[0]
    expect([status, body]).toEqual([200, entry])
  }),
)

test(
  'the pages of the list have every agent with a service once, on all networks',
  settled(async () => {
    const found: string[] = []
    for (let token: string | undefined = ''; token !== undefined; ) {
      const { body } = await send(`/ard/agents?pageSize=2${token && `&pageToken=${token}`}`)
      found.push(...body.items.map(({ identifier }: Json) => identifier))
      token = body.pageToken
    }
    expect(new Set(found).size).toBe(found.length)
    const listed = await Promise.all(
      ['chain-mainnet', 'chain-devnet'].map(async network => {
        const { body } = await send(`/v1/agents?hasServices=true&pageSize=100&network=${network}`)
        return body.data.agents.map(({ mintAddress }: Json) => `${network}:${mintAddress}`)
      }),
    )
    expect(found.map(urn => urn.replace('urn:air:slipway.example:agent:', '')).sort()).toEqual(
      listed.flat().sort(),
    )
  }),
)

test('a hidden agent is not in the registry', async () => {
  const { address } = world.agent('patchbot')
  await setAgentHidden(node().database, 'chain-mainnet', address, true)
  onTestFinished(() => setAgentHidden(node().database, 'chain-mainnet', address, false).then(() => {}))
  const urn = `urn:air:slipway.example:agent:chain-mainnet:${address}`
  expect(await send(`/ard/agents/${urn}`)).toEqual({
    status: 404,
    body: { errorCode: 'NOT_FOUND', message: 'Agent not found' },
  })
  await vi.waitFor(async () => expect(JSON.stringify(await search('patchbot'))).not.toContain(address), {
    timeout: 60_000,
  })
})

test('filters narrow a search, and an unsupported filter is refused with the reason', async () => {
  expect(
    (await search('patchbot', { filter: { type: ['application/mcp-server-card+json'] } })).results,
  ).toEqual([])
  const devnet = await search('patchbot', { filter: { 'metadata.network': 'chain-devnet' } })
  expect(JSON.stringify(devnet.results)).not.toContain('chain-mainnet')
  expect(await send('/ard/search', { query: { text: 'x', filter: { colour: 'red' } } })).toEqual({
    status: 400,
    body: {
      errorCode: 'INVALID_ARGUMENT',
      message:
        'Invalid input data: query.filter may have only type, publisher, tags, capabilities, metadata.network',
    },
  })
  expect(await send('/ard/search', { query: {} })).toMatchObject({
    status: 400,
    body: { errorCode: 'INVALID_ARGUMENT', message: expect.stringContaining('query.text') },
  })
  expect((await send('/ard/agents?pageToken=7.1')).status).toBe(400)
  expect(await send('/ard/explore', { resultType: { facets: [] } })).toEqual({
    status: 501,
    body: { errorCode: 'NOT_IMPLEMENTED', message: 'Not implemented' },
  })
})

test('a URN has the host name without its port, and only that of the deployment is known', () => {
  expect(publisherOf('http://localhost:8080')).toBe('localhost')
  expect(publisherOf('http://[::1]:8080')).toMatch(/^[a-z0-9.-]+$/)
  const { address } = world.agent('patchbot')
  const urn = `urn:air:localhost:agent:chain-devnet:${address}`
  expect(parseUrn(urn, 'http://localhost:8080')).toEqual({ network: 'chain-devnet', address })
  expect(parseUrn(urn, 'https://slipway.example')).toBeUndefined()
  expect(parseUrn(`${urn}:more`, 'http://localhost:8080')).toBeUndefined()
})

test.runIf(process.env.ARD_SPEC)('the conformance test of the specification passes', async () => {
  const run = promisify(execFile)
  const tool = `${process.env.ARD_SPEC}/conformance/bin/conformance-test`
  for (const args of [
    ['manifest', `${node().url}/.well-known/ai-catalog.json`],
    ['registry', `${node().url}/ard`],
  ]) {
    const { stdout } = await run('python3', [tool, ...args])
    if (process.env.SHOW) console.log(stdout)
    expect(stdout).toContain('CONFORMANCE STATUS: PASS')
  }
})
