import { expect, test } from 'vitest'
import { SECRET, startTestNode, testAddress } from '../chain/rpc/test-node.ts'
import { launchRows } from '../testing/launch-rows.ts'
import { rawRequest } from '../testing/raw-request.ts'
import { startTestService } from '../testing/test-service.ts'

const readyz = async (url: string) => {
  const { status, text } = await rawRequest(url, '/readyz')
  return { status, lines: text.split('\n').filter(line => line.startsWith('rpc ')) }
}

test('a network with an RPC URL has a line in /readyz and metrics without secrets; a network without one has neither', async () => {
  const nodes = [await startTestNode(), await startTestNode()] as const
  const { url, chains } = await startTestService({
    config: { rpcUrls: { 'chain-mainnet': [], 'chain-devnet': nodes.map(node => node.url) } },
  })
  expect(Object.keys(chains)).toEqual(['chain-devnet'])
  const devnet = chains['chain-devnet'] as NonNullable<(typeof chains)['chain-devnet']>
  expect((await devnet.blockhash.latest()).lastValidBlockHeight).toBe(250)
  await Promise.all([1, 2, 3].map(at => devnet.rpc.fetchAccounts([testAddress(at)])))
  expect(await readyz(url)).toEqual({
    status: 200,
    lines: [expect.stringMatching(/^rpc chain-devnet: ok, slot 100 in \d+\.\d ms, 2 of 2 endpoints up$/)],
  })

  const host = 'network="chain-devnet",endpoint="rpc 1"'
  const { text } = await rawRequest(url, '/metrics')
  expect(text).toContain(
    `slipway_rpc_request_duration_seconds_count{${host},method="getMultipleAccounts",outcome="ok"} 1`,
  )
  expect(text).toContain(`slipway_rpc_endpoint_up{${host}} 1`)
  expect(text).toContain(`slipway_rpc_slot{${host}} 100`)
  expect(text).toContain('slipway_rpc_coalesced_reads_total{network="chain-devnet"} 2')
  expect(text).not.toContain(SECRET)
  expect(text).not.toContain('127.0.0.1')
})

test('a call that fails because every endpoint is behind the newest slot seen is counted', async () => {
  const node = await startTestNode()
  const { url, chains } = await startTestService({
    config: { rpcUrls: { 'chain-mainnet': [node.url], 'chain-devnet': [] } },
  })
  await chains['chain-mainnet']?.rpc.fetchSlot()
  node.slot = 50
  await expect(chains['chain-mainnet']?.rpc.fetchSlot()).rejects.toThrow('lagging')
  const { text } = await rawRequest(url, '/metrics')
  expect(text).toMatch(/slipway_rpc_all_behind_total\{network="chain-mainnet"\} [1-9]/)
})

test('while the RPC is down /readyz fails and listings are served, and /readyz recovers with the RPC', async () => {
  const node = await startTestNode()
  const row = launchRows('there')
  const { url, chains } = await startTestService({
    launches: [row],
    config: { rpcUrls: { 'chain-mainnet': [node.url], 'chain-devnet': [] } },
    limits: { rpc: { attemptMs: 300, totalMs: 700, restMsMin: 100, probeMsMin: 50 } },
  })
  node.behave = () => {}
  expect(await readyz(url)).toEqual({
    status: 503,
    lines: ['rpc chain-mainnet: failing, no endpoint answers'],
  })
  await node.stop()
  await expect(chains['chain-mainnet']?.rpc.fetchSlot()).rejects.toThrow('unreachable')
  const listing = (await rawRequest(url, '/v1/launches')).json() as { data: unknown[] }
  expect(listing.data).toHaveLength(1)
  const { text } = await rawRequest(url, '/metrics')
  expect(text).toContain('slipway_rpc_endpoint_up{network="chain-mainnet",endpoint="rpc 1"} 0')
  expect(text).toMatch(/slipway_rpc_retries_total\{[^}]*reason="unreachable"\} [1-9]/)

  await startTestNode({ port: node.port })
  await expect.poll(async () => (await readyz(url)).status, { timeout: 60_000 }).toBe(200)
})
