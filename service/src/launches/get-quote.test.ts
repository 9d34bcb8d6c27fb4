import {
  type BondingCurveBucketV2,
  getBondingCurveBucketV2AccountDataSerializer,
  getSwapResult,
  SwapDirection,
} from '@metaplex-foundation/genesis'
import { expect, test } from 'vitest'
import { useDemo } from '../testing/demo.ts'
import { demoLaunch } from '../testing/demo-launches.ts'
import { useRegistered } from '../testing/registering.ts'
import { startRpcProxy } from '../testing/rpc-proxy.ts'
import { startTestService } from '../testing/test-service.ts'

const world = useDemo()
const CURVES = ['patchbot', 'mudlark', 'dovetail', 'harbour-cat', 'tidewater']
const service = useRegistered(world, CURVES)

async function quote(slug: string, query: string, url = service().url) {
  const { genesisAddress } = demoLaunch(world, slug)
  const response = await fetch(`${url}/v1/launches/${genesisAddress}/quote?${query}`)
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the shape of the answers
  const { data, error } = (await response.json()) as any
  return {
    status: response.status,
    data,
    message: error?.message,
    code: response.headers.get('slipway-error'),
  }
}
function curveOf(slug: string): BondingCurveBucketV2 {
  const data = world.chainOf().local.chain.account(demoLaunch(world, slug).addresses.primary)?.data
  if (!data) throw new Error(`${slug} has no curve`)
  return getBondingCurveBucketV2AccountDataSerializer().deserialize(data)[0] as BondingCurveBucketV2
}

test('a quote has the numbers of the official client, for purchases and sales', async () => {
  const curve = curveOf('patchbot')
  for (const [side, direction, amount] of [
    ['buy', SwapDirection.Buy, 1_000_000_000n],
    ['sell', SwapDirection.Sell, 5_000_000_000_000n],
  ] as const) {
    const official = getSwapResult(curve, amount, direction)
    const { status, data } = await quote('patchbot', `side=${side}&amount=${amount}&slippageBps=250`)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      side,
      venue: 'curve',
      amountIn: `${official.amountIn}`,
      amountOut: `${official.amountOut}`,
      minAmountOut: `${(official.amountOut * 9_750n) / 10_000n}`,
      fees: { protocol: `${official.fee}`, creator: `${official.creatorFee}`, pool: '0' },
      partial: false,
      quoteMint: 'So11111111111111111111111111111111111111112',
      quoteDecimals: 9,
      baseDecimals: 6,
    })
    expect(Number(data.priceAfter) > Number(data.price)).toBe(side === 'buy')
    expect(data.priceImpactBps).toBeGreaterThan(0)
    expect(data.slot).toBeGreaterThan(0)
  }
})

test('invalid input is refused with the code of the first fault, before the launch is looked up', async () => {
  const url = `${service().url}/v1/launches/nowhere/quote`
  const codes = async (query: string) => {
    const response = await fetch(`${url}?${query}`)
    return [response.status, response.headers.get('slipway-error')]
  }
  for (const amount of ['0', '1.5', '-1', '1e9', '18446744073709551616', '', 'x', '+1'])
    expect([amount, await codes(`side=buy&amount=${amount}`)]).toEqual([amount, [400, 'INVALID_AMOUNT']])
  expect(await codes('side=hold&amount=1')).toEqual([400, 'INVALID_SIDE'])
  expect(await codes('amount=1')).toEqual([400, 'INVALID_SIDE'])
  expect(await codes('side=buy&amount=1&mode=both')).toEqual([400, 'INVALID_MODE'])
  for (const bps of ['5001', '-1', '1.5', '99999', 'x'])
    expect(await codes(`side=buy&amount=1&slippageBps=${bps}`)).toEqual([400, 'INVALID_SLIPPAGE'])
  expect(await codes('side=buy&amount=1&wallet=me')).toEqual([400, 'INVALID_WALLET'])
  expect(await codes('side=buy&amount=1&network=nowhere')).toEqual([400, 'INVALID_NETWORK'])
  expect(await codes('side=buy&amount=1')).toEqual([404, 'LAUNCH_NOT_FOUND'])
})

test('a launch that takes deposits, and an amount that buys nothing, are refused with the reason', async () => {
  expect(await quote('tidewater', 'side=buy&amount=1000000')).toMatchObject({
    status: 409,
    code: 'TAKES_DEPOSITS',
    message: 'This launch takes deposits, not trades',
  })
  expect(await quote('patchbot', 'side=buy&amount=999')).toMatchObject({
    status: 400,
    code: 'AMOUNT_TOO_SMALL',
    message: '✖ Amount too small',
  })
  // This launch is on the chain, but not registered here.
  expect(await quote('kiln', 'side=buy&amount=1000000')).toMatchObject({
    status: 404,
    code: 'LAUNCH_NOT_FOUND',
  })
})

test('an RPC that lacks a registered launch is not trusted', async () => {
  const proxy = await startRpcProxy(world.chainOf().local.rpcUrl)
  const { url } = await startTestService({
    connection: service().connection,
    config: { ...world.config(), rpcUrls: { 'chain-mainnet': [proxy.url], 'chain-devnet': [] } },
  })
  proxy.behave = method =>
    method === 'getMultipleAccounts'
      ? { status: 200, body: { jsonrpc: '2.0', result: { context: { slot: 9 }, value: [null] } } }
      : undefined
  expect((await quote('patchbot', 'side=buy&amount=1000000', url)).status).toBe(503)
})
