import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { beforeEach, expect, test } from 'vitest'
import { buildSwap } from './swap.ts'
import { buy, refusalOf, SOL, startTestMarket, type TestMarket } from './test-market.ts'

let market: TestMarket
beforeEach(() => {
  market = startTestMarket()
})

test('a launch that needs its backend signer, and a curve that is closed or has absurd numbers, are refused with the reason', async () => {
  const wallet = market.wallet().address
  const refusal = async (
    change: Parameters<TestMarket['changeCurve']>[1],
    order = buy(SOL),
  ): Promise<string> => {
    const { genesis, primary } = market.makeCurve()
    market.changeCurve(primary, change)
    return (await refusalOf(market.build(genesis, order, { wallet }))).code
  }
  const at = (time: number) =>
    ({
      __kind: 'TimeAbsolute',
      padding: Array(47).fill(0),
      time: BigInt(time),
      triggeredTimestamp: { __option: 'None' },
    }) as never
  expect(
    await refusal(({ extensions }) => ({
      extensions: {
        ...extensions,
        backendSigner: { __option: 'Some', value: { signer: wallet as never } } as never,
      },
    })),
  ).toBe('NEEDS_OPERATOR')
  expect(await refusal(() => ({ swapStartCondition: at(2_000_000_000) }))).toBe('TRADING_NOT_STARTED')
  expect(await refusal(() => ({ swapEndCondition: at(900_000_000) }))).toBe('TRADING_ENDED')
  expect(await refusal(({ bucket }) => ({ bucket: { ...bucket, baseTokenBalance: 0n } }))).toBe('SOLD_OUT')
  expect(await refusal(() => ({ depositFee: 10_000n }))).toBe('NOT_PRICED')
})

test('only a simulation shows that a curve is paused, and the reason is given before anything is signed', async () => {
  const { genesis } = market.makeCurve()
  const wallet = market.wallet().address
  const paused = {
    err: { InstructionError: [5, { Custom: 98 }] },
    logs: [
      'Program GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B invoke [1]',
      'Program GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B failed: custom program error: 0x62',
    ],
  }
  const request = { ...buy(SOL), genesis, wallet, priorityFee: 0n }
  const parts = { ...market.parts, rpc: { ...market.parts.rpc, simulate: async () => paused } }
  expect((await refusalOf(buildSwap(parts, request))).code).toBe('TRADING_PAUSED')
  const unknown = {
    err: { InstructionError: [5, { Custom: 4_242 }] },
    logs: [
      'Program log: Error: the moon is full',
      `Program ${createKeypair().address} failed: custom program error: 0x1092`,
    ],
  }
  const refused = await refusalOf(
    buildSwap({ ...market.parts, rpc: { ...market.parts.rpc, simulate: async () => unknown } }, request),
  )
  expect([refused.code, refused.details?.[0]?.message]).toEqual([
    'TRADE_WOULD_FAIL',
    'Error: the moon is full',
  ])
})

test.each([
  ['InsufficientFundsForFee', 'too little for the fee'],
  [{ InsufficientFundsForRent: { account_index: 2 } }, 'would leave an account below the rent minimum'],
])('a simulation that ends with %j is reported as a balance that is too low', async (err, message) => {
  const { genesis } = market.makeCurve()
  const request = { ...buy(SOL), genesis, wallet: market.wallet().address, priorityFee: 0n }
  const rpc = { ...market.parts.rpc, simulate: async () => ({ err, logs: [] }) }
  const refused = await refusalOf(buildSwap({ ...market.parts, rpc }, request))
  expect([refused.code, refused.details]).toEqual(['INSUFFICIENT_BALANCE', [{ path: ['amount'], message }]])
})

test.each([
  ['a fee on transfers', 1],
  ['a program that transfers call', 14],
  ['transfers that can be paused', 26],
  ['someone who may take them from anyone', 12],
  ['accounts that are frozen from the start', 6, 2],
])('tokens with %s are not traded', async (_, extension, value = 0) => {
  const { genesis, mint } = market.makeCurve()
  market.changeAccount(mint, account => {
    // A Token-2022 mint: padded to the size of a token account, then its kind and one extension.
    const data = new Uint8Array(165 + 1 + 4 + 108)
    data.set(account.data)
    data[165] = 1
    new DataView(data.buffer).setUint16(166, extension, true)
    new DataView(data.buffer).setUint16(168, 108, true)
    data[170] = value
    return { ...account, data, owner: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as never }
  })
  const wallet = market.wallet().address
  expect((await refusalOf(market.build(genesis, buy(SOL), { wallet }))).code).toBe('RESTRICTED_TOKEN')
})
