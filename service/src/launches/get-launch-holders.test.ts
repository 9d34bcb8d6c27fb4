import { poolAuthorityAddress } from '@slipway/launch-model/addresses'
import { buildTokenAccount } from '@slipway/local-chain/testing/token-accounts'
import { LaunchHolders } from '@slipway/schema/market'
import { expect, test } from 'vitest'
import { useDemo } from '../testing/demo.ts'
import { demoLaunch, makeLaunch, postJson, registrationOf } from '../testing/demo-launches.ts'
import { addressOf } from '../testing/launch-rows.ts'
import { useRegistered } from '../testing/registering.ts'
import { startRpcProxy } from '../testing/rpc-proxy.ts'
import { startTestService } from '../testing/test-service.ts'

const world = useDemo()
const service = useRegistered(world, ['patchbot'])

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

test('only the vault of the launch’s own pool is shown as a pool', async () => {
  const { local } = world.chainOf()
  const graduatedAt = 1_790_000_000
  const { body, mint } = makeLaunch(world, {
    name: 'Pooled',
    mechanic: 'bondingCurveV2',
    amm: { graduatedAt, accrued: 0n, claimed: 0n },
  })
  expect((await postJson(`${service().url}/v1/launches/register`, body)).status).toBe(200)
  // Anyone can make another pool with this token. One address owns the vaults of all pools.
  const owner = poolAuthorityAddress('mainnet')
  const foreign = addressOf('vault of a foreign pool')
  const account = buildTokenAccount(mint as never, owner as never, 400_000_000_000_000n, () => 2_039_280n)
  local.chain.writeAccounts(new Map([[foreign as never, account]]))
  const response = await fetch(`${service().url}/v1/launches/${body.genesisAccount}/holders`)
  const { data } = (await response.json()) as { data: LaunchHolders }
  const ofPools = data.holders.filter(holder => holder.owner === owner)
  expect(ofPools.map(({ amount, label }) => [amount, label])).toEqual([
    ['400000000000000', null],
    ['200000000000000', 'pool'],
  ])
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
