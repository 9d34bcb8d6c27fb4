import { randomBytes } from 'node:crypto'
import { addressAt } from '@slipway/launch-model/bytes/base58'
import { expect, test } from 'vitest'
import { budgetOf } from '../http/ingress/read-request.ts'
import { findProgress } from '../store/chain-progress.ts'
import { useDemo } from '../testing/demo.ts'
import { DESCRIBED_ENDPOINTS } from '../testing/described-endpoints.ts'
import { type RpcProxy, startRpcProxy } from '../testing/rpc-proxy.ts'
import { startTestService } from '../testing/test-service.ts'

const world = useDemo()

const randomAddresses = (count: number) => Array.from({ length: count }, () => addressAt(randomBytes(32)))

async function start({ config, ...options }: Parameters<typeof startTestService>[0] = {}) {
  const proxy = await startRpcProxy(world.chainOf().local.rpcUrl)
  const rpcUrls = { 'chain-mainnet': [proxy.url] }
  const service = await startTestService({ ...options, config: { ...world.config(), rpcUrls, ...config } })
  return { ...service, proxy }
}

/** Which of these addresses the chain has been asked about. */
function askedAbout(proxy: RpcProxy, addresses: readonly string[]): string[] {
  const asked = JSON.stringify(proxy.calls)
  return addresses.filter(address => asked.includes(address))
}

async function callTool(url: string, name: string, address: string) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: { address } },
    }),
  })
  return (await response.json()) as { result: { structuredContent: { error: { code: string } } } }
}

/** Everything that can be read about an address and is not charged as a read of the chain. */
const UNCHARGED = DESCRIBED_ENDPOINTS.filter(({ method }) => method === 'GET')
  .map(({ path }) =>
    path
      .replace('{network}', 'chain-mainnet')
      .replace('{urn}', 'urn:air:slipway.example:agent:chain-mainnet:{address}'),
  )
  .filter(path => path.includes('{') && budgetOf('GET', path) === 'reads')

test('while the index is complete and recent, a random address costs no read of the chain', async () => {
  const { url, proxy, database } = await start({ config: { indexer: true } })
  const isComplete = async () => (await findProgress(database, 'chain-mainnet'))?.isComplete
  await expect.poll(isComplete, { timeout: 30_000 }).toBe(true)
  for (const path of UNCHARGED) {
    const addresses = randomAddresses(path === '/v1/agents/{address}' ? 40 : 5)
    for (const address of addresses) await (await fetch(url + path.replace(/\{\w+\}/g, address))).text()
    expect.soft(askedAbout(proxy, addresses).length, path).toBe(0)
  }
  const addresses = randomAddresses(10)
  for (const address of addresses)
    for (const tool of ['get_agent', 'get_agent_card']) await callTool(url, tool, address)
  expect(askedAbout(proxy, addresses)).toEqual([])
})

test('while the index is incomplete, the chain is asked about a random address, and each counts against the limit', async () => {
  const { url, proxy } = await start({
    config: { rateLimits: { reads: 0, writes: 0, chainReads: 5, checks: 0 } },
  })
  const addresses = randomAddresses(8)
  const responses = []
  for (const address of addresses) responses.push(await fetch(`${url}/v1/agents/${address}`))
  expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 429, 429, 429])
  expect(askedAbout(proxy, addresses)).toEqual(addresses.slice(0, 5))
  expect(Number(responses.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(5)
  // All other ways to ask share this budget.
  const [other = '', card = ''] = randomAddresses(2)
  expect((await fetch(`${url}/v1/agents/${card}/agent-card.json`)).status).toBe(429)
  expect((await callTool(url, 'get_agent', other)).result.structuredContent.error.code).toBe(
    'TOO_MANY_REQUESTS',
  )
  expect((await fetch(`${url}/v1/agents/${other}/wallet`)).status).toBe(429)
})
