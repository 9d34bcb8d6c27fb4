import { LaunchHolders } from '@slipway/schema/market'
import { beforeAll, expect, test } from 'vitest'
import { useDemo } from '../testing/demo.ts'
import { demoLaunch, postJson, registrationOf } from '../testing/demo-launches.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { startRpcProxy } from '../testing/rpc-proxy.ts'
import { startTestService, useTestService } from '../testing/test-service.ts'

const world = useDemo()
const service = useTestService(() => ({ config: world.config() }))
beforeAll(async () => {
  const { status } = await postJson(
    `${service().url}/v1/launches/register`,
    registrationOf(world, 'patchbot'),
  )
  expect(status).toBe(200)
})

const path = (slug: string) => `/v1/launches/${demoLaunch(world, slug).genesisAddress}/holders`

test('the largest accounts are listed with their share of the supply, and the curve among them is named', async () => {
  const response = await fetch(service().url + path('patchbot'))
  const { data } = (await response.json()) as { data: object }
  const { supply, holders, baseDecimals } = LaunchHolders.strict().parse(data)
  expect(baseDecimals).toBe(6)
  const amounts = holders.map(({ amount }) => BigInt(amount))
  expect(amounts).toEqual([...amounts].sort((a, b) => (a > b ? -1 : 1)))
  expect(holders.map(({ label }) => label)).toContain('curve')
  for (const { amount, share } of holders) expect(share).toBeCloseTo(Number(amount) / Number(supply), 9)
  const unknown = await fetch(`${service().url}/v1/launches/${addressOf('unknown')}/holders`)
  expect(unknown.status).toBe(404)
})

test('many callers cost one read in ten seconds, and a refusal of the method has an error of its own', async () => {
  const rpc = await startRpcProxy(world.chainOf().local.rpcUrl)
  const config = world.config()
  const { url } = await startTestService({
    config: { ...config, rpcUrls: { ...config.rpcUrls, 'chain-mainnet': [rpc.url] } },
  })
  for (const slug of ['patchbot', 'mudlark'])
    expect((await postJson(`${url}/v1/launches/register`, registrationOf(world, slug))).status).toBe(200)
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(url + path('patchbot'))))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  await fetch(url + path('patchbot'))
  expect(rpc.count('getTokenLargestAccounts')).toBe(1)
  rpc.behave = method =>
    method === 'getTokenLargestAccounts'
      ? { status: 200, body: { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' } } }
      : undefined
  const refused = await fetch(url + path('mudlark'))
  expect([refused.status, await refused.json()]).toEqual([
    503,
    { error: { message: 'Holders are not available' } },
  ])
  expect(refused.headers.get('slipway-error')).toBe('HOLDERS_UNAVAILABLE')
})
