import { createHash } from 'node:crypto'
import { getBase58Decoder } from '@solana/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assetSignerAddress } from '../addresses.ts'
import { addressAt, decodeBase58 } from '../bytes/base58.ts'
import { encode, u64 } from '../bytes/codec.ts'
import { swapInPoolCall } from '../calls/trades.ts'
import { type Address, CORE_PROGRAM, GENESIS_PROGRAM, RAYDIUM_PROGRAMS, TOKEN_PROGRAM } from '../programs.ts'
import { landed, landedBuy, landedTransaction, transferred } from '../testing/landed-calls.ts'
import { decodeTrades } from './decode-trades.ts'
import type { LandedCall } from './transaction.ts'

const addressOf = (text: string): Address => addressAt(createHash('sha256').update(text).digest())
const [genesis, curve, mint, trader] = ['launch', 'curve', 'mint', 'trader'].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
]
const pool = addressOf('pool')
const rates = {
  tradeFeeRate: 2_500n,
  protocolFeeRate: 120_000n,
  fundFeeRate: 40_000n,
  creatorFeeRate: 0n,
  creatorFeeIn: 'input' as const,
}
const launch = {
  genesis,
  baseMint: mint,
  pools: [{ address: pool, program: RAYDIUM_PROGRAMS.mainnet, rates }],
}
const amounts = { paid: 1_000n, fee: 20n, received: 5_000n }
const bought = (height = 1) => landedBuy({ genesis, curve, mint, trader }, amounts, height)
const decode = (calls: readonly LandedCall[], more = {}) =>
  decodeTrades(launch, landedTransaction(calls, more))
const BOUGHT = {
  signature: 'signature',
  slot: 7,
  time: 1_700_000_000,
  kind: 'buy',
  wallet: trader,
  agent: null,
  baseAmount: 5_000n,
  quoteAmount: 1_000n,
  protocolFee: 20n,
  creatorFee: 0n,
  poolFee: 0n,
}

test('amounts are those that were transferred, not those that were asked for', () => {
  expect(decode(bought())).toEqual([{ ...BOUGHT, index: 0 }])
})

test('a failed transaction has no trades, even if it lists calls', () => {
  expect(decode(bought(), { failed: true })).toEqual([])
})

test('a program that imitates Genesis or Raydium makes no trades', () => {
  const [swap, ...transfers] = bought() as [LandedCall, ...LandedCall[]]
  const imitation = { ...swap, program: addressOf('imitation') }
  expect(decode([imitation, ...transfers])).toEqual([])
  // Nor do its transfers count for the real call that it makes.
  expect(decode([imitation, ...transfers, ...bought(2)])).toEqual([{ ...BOUGHT, index: 4 }])
  const inPool = poolSwap('buy', 900n, 1_000n)
  expect(
    decode(inPool.map((call, at) => (at === 0 ? { ...call, program: imitation.program } : call))),
  ).toEqual([])
  expect(
    decode(inPool.map((call, at) => (at === 0 ? { ...call, program: RAYDIUM_PROGRAMS.devnet } : call))),
  ).toEqual([])
})

test('transfers of any program but the two token programs do not count', () => {
  const calls = bought().map(call =>
    call.program === TOKEN_PROGRAM ? { ...call, program: addressOf('tokens') } : call,
  )
  expect(decode(calls)).toEqual([])
})

test('transfers of other calls, and those further down, are not a call’s own', () => {
  const calls = bought()
  const [swap] = calls as [LandedCall]
  const [ownQuote, bucketQuote] = [swap.accounts[6], swap.accounts[7]] as [Address, Address]
  const foreign = [
    transferred(ownQuote, bucketQuote, 77n, 1),
    ...calls,
    // A token may call a program for each transfer.
    transferred(ownQuote, bucketQuote, 78n, 3),
    transferred(ownQuote, bucketQuote, 79n, 1),
    transferred(ownQuote, bucketQuote, 80n, 2),
  ]
  expect(decode(foreign)).toEqual([{ ...BOUGHT, index: 1 }])
})

test('trades of another launch in the same transaction are not this launch’s', () => {
  const other = landedBuy(
    { genesis: addressOf('other'), curve: addressOf('other curve'), mint: addressOf('other mint'), trader },
    amounts,
  )
  expect(decode([...other, ...bought(), ...other])).toEqual([{ ...BOUGHT, index: 4 }])
})

test('thirty trades in one transaction are told apart by their index', () => {
  const trades = decode(Array.from({ length: 30 }, () => bought()).flat())
  expect(trades.map(({ index }) => index)).toEqual(Array.from({ length: 30 }, (_, at) => at * 4))
})

test('the largest amounts are exact', () => {
  const most = 2n ** 64n - 1n
  const calls = landedBuy({ genesis, curve, mint, trader }, { paid: most, fee: 0n, received: most })
  expect(decode(calls)).toMatchObject([{ baseAmount: most, quoteAmount: most, protocolFee: 0n }])
})

test('a trade inside Core’s execute is the agent’s; one beside it, or inside another agent’s, is not', () => {
  const agent = addressOf('agent')
  const wallet = assetSignerAddress(agent)
  const execute = (asset: Address): LandedCall => ({
    program: CORE_PROGRAM,
    accounts: [asset, CORE_PROGRAM, wallet],
    data: new Uint8Array(),
    height: 1,
  })
  const buy = (height: number) => landedBuy({ genesis, curve, mint, trader: wallet }, amounts, height)
  expect(decode([execute(agent), ...buy(2)])).toMatchObject([{ wallet, agent, index: 1 }])
  expect(decode([execute(agent), ...buy(1)])).toMatchObject([{ wallet, agent: null }])
  expect(decode([execute(addressOf('another')), ...buy(2)])).toMatchObject([{ wallet, agent: null }])
})

const eventOf = (program: Address, account: Address, creatorFee: bigint, height = 2): LandedCall => {
  const data = new Uint8Array(81)
  data.set([255, 1])
  data.set(encode(u64, creatorFee), 33)
  return { program, accounts: [account], data, height }
}

test('the creator’s fee is that of the event that Genesis emits in the swap, and of no other', () => {
  const feeIn = (...events: LandedCall[]) => decode([...bought(), ...events])[0]?.creatorFee
  expect(feeIn(eventOf(GENESIS_PROGRAM, genesis, 6n))).toBe(6n)
  expect(feeIn(eventOf(addressOf('imitation'), genesis, 6n))).toBe(0n)
  expect(feeIn(eventOf(GENESIS_PROGRAM, addressOf('other'), 6n))).toBe(0n)
  expect(feeIn(eventOf(GENESIS_PROGRAM, genesis, 6n, 3))).toBe(0n)
  expect(feeIn(eventOf(GENESIS_PROGRAM, genesis, 6n, 1))).toBe(0n)
  expect(decode([eventOf(GENESIS_PROGRAM, genesis, 6n, 1)])).toEqual([])
  const short = { ...eventOf(GENESIS_PROGRAM, genesis, 6n), data: Uint8Array.of(255, 1) }
  expect(feeIn(short)).toBe(0n)
})

function poolSwap(side: 'buy' | 'sell', base: bigint, quote: bigint): LandedCall[] {
  const tokens = {
    base: { mint, program: TOKEN_PROGRAM },
    quote: { mint: addressOf('quote'), program: TOKEN_PROGRAM },
  }
  const [vault0, vault1, observation] = ['vault 0', 'vault 1', 'prices'].map(addressOf) as [
    Address,
    Address,
    Address,
  ]
  const swapped = {
    address: pool,
    environment: 'mainnet' as const,
    config: addressOf('config'),
    mint0: mint,
    vault0,
    vault1,
    observation,
  }
  const swap = landed(swapInPoolCall(tokens, swapped, trader, { side, amountIn: 1n, amountOutMin: 0n }))
  const at = (place: number) => swap.accounts[place] as Address
  const [paid, received] = side === 'buy' ? [quote, base] : [base, quote]
  const checked = (call: LandedCall): LandedCall => ({
    ...call,
    accounts: [call.accounts[0] as Address, mint, call.accounts[1] as Address],
    data: Uint8Array.of(12, ...call.data.subarray(1), 6),
  })
  return [swap, checked(transferred(at(4), at(6), paid)), checked(transferred(at(7), at(5), received))]
}

test('swaps in the launch’s pool are trades, with the pool’s fee in the quote token', () => {
  expect(decode(poolSwap('buy', 900n, 10_000n))).toMatchObject([
    { kind: 'buy', wallet: trader, baseAmount: 900n, quoteAmount: 10_000n, poolFee: 25n, creatorFee: 0n },
  ])
  // 25 of 10,000 base tokens are the fee, at the price of 4,000 for the other 9,975.
  expect(decode(poolSwap('sell', 10_000n, 4_000n))).toMatchObject([
    { kind: 'sell', baseAmount: 10_000n, quoteAmount: 4_000n, poolFee: 10n },
  ])
  const [swap, ...rest] = poolSwap('buy', 900n, 10_000n) as [LandedCall, ...LandedCall[]]
  const accounts = swap.accounts.with(3, addressOf('another pool'))
  expect(decode([{ ...swap, accounts }, ...rest])).toEqual([])
  expect(decode([{ ...swap, data: new Uint8Array(24) }, ...rest])).toEqual([])
})

test('calls with missing accounts or data make no trades', () => {
  for (const call of [...bought(), ...poolSwap('buy', 900n, 1_000n)])
    for (const short of [
      { ...call, accounts: [] },
      { ...call, accounts: call.accounts.slice(0, 5) },
      { ...call, data: new Uint8Array() },
    ])
      expect(decode([short])).toEqual([])
})

/** These token calls in one call of `batch`, as the token program takes it. */
function batched(calls: readonly LandedCall[], height = 2): LandedCall {
  const data = calls.flatMap(call => [call.accounts.length, call.data.length, ...call.data])
  const accounts = calls.flatMap(call => call.accounts)
  return { program: TOKEN_PROGRAM, accounts, data: Uint8Array.of(255, ...data), height }
}

const other = (discriminator: number, length: number, accounts: number): LandedCall => ({
  program: TOKEN_PROGRAM,
  accounts: Array.from({ length: accounts }, (_, at) => addressOf(`other ${at}`)),
  data: Uint8Array.from({ length }, (_, at) => (at === 0 ? discriminator : 3)),
  height: 2,
})
/** Token instructions that move no tokens, as they stand in batches too. */
const anyOther = fc
  .tuple(fc.constantFrom(9, 17, 20, 38), fc.integer({ min: 1, max: 255 }), fc.integer({ min: 0, max: 20 }))
  .map(([discriminator, length, accounts]) => other(discriminator, length, accounts))

test('a trade is the same however its transfers are divided into batches, whatever else is in them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(anyOther, { maxLength: 3 }), { minLength: 4, maxLength: 4 }),
      fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
      fc.constantFrom(bought(), poolSwap('buy', 900n, 10_000n), poolSwap('sell', 10_000n, 4_000n)),
      (others, cuts, [swap, ...transfers]) => {
        const batches: LandedCall[][] = [[]]
        transfers.forEach((transfer, at) => {
          if (cuts[at]) batches.push([])
          batches.at(-1)?.push(...(others[at] ?? []), transfer)
        })
        batches.at(-1)?.push(...(others[3] ?? []))
        const calls = [
          swap as LandedCall,
          ...batches.filter(({ length }) => length > 0).map(one => batched(one)),
        ]
        expect(decode(calls)).toEqual(decode([swap as LandedCall, ...transfers]))
      },
    ),
  )
})

test('a batch that the token program would refuse moves nothing', () => {
  const [swap, ...transfers] = bought() as [LandedCall, ...LandedCall[]]
  const batch = batched(transfers)
  const { data, accounts } = batch
  expect(decode([swap, batch])).toEqual([{ ...BOUGHT, index: 0 }])
  for (let length = 1; length < data.length; length++)
    if ((length - 1) % 11 !== 0) expect(decode([swap, { ...batch, data: data.slice(0, length) }])).toEqual([])
  for (let count = 0; count < accounts.length; count++)
    expect(decode([swap, { ...batch, accounts: accounts.slice(0, count) }])).toEqual([])
  expect(decode([swap, batched([batch])])).toEqual([])
  expect(decode([swap, { ...batch, data: Uint8Array.of(255, 0, 0) }])).toEqual([])
  expect(decode([swap, { ...batch, program: addressOf('tokens') }])).toEqual([])
})

test('any bytes in a batch are decoded without an error', () => {
  const [swap, ...transfers] = bought() as [LandedCall, ...LandedCall[]]
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
      const hostile = { ...batched(transfers), data: Uint8Array.of(255, ...bytes) }
      for (const { baseAmount, quoteAmount } of decode([swap, hostile, ...transfers])) {
        expect(baseAmount).toBeGreaterThanOrEqual(5_000n)
        expect(quoteAmount).toBeGreaterThanOrEqual(1_000n)
      }
    }),
  )
})

const unwrapped = (from: Address, to: Address, amount?: bigint): LandedCall => ({
  program: TOKEN_PROGRAM,
  accounts: [from, to, from],
  data: amount === undefined ? Uint8Array.of(45, 0) : Uint8Array.of(45, 1, ...encode(u64, amount)),
  height: 2,
})

test('what a sale unwraps into the wallet is what it received, be it an amount or all that was there', () => {
  const [swap] = bought() as [LandedCall]
  const at = (place: number) => swap.accounts[place] as Address
  const sold = transferred(at(5), at(4), 5_000n)
  const sell = { ...BOUGHT, index: 0, kind: 'sell', protocolFee: 20n, quoteAmount: 980n }
  const fee = transferred(at(7), at(12), 20n)
  expect(decode([swap, sold, fee, unwrapped(at(7), trader, 980n)])).toEqual([sell])
  expect(decode([swap, batched([sold, fee, unwrapped(at(7), trader, 980n)])])).toEqual([sell])
  const held = new Map([[at(7), 990n]])
  const paidIn = transferred(addressOf('someone'), at(7), 10n, 1)
  const all = unwrapped(at(7), trader)
  expect(decode([paidIn, swap, sold, fee, all], { held })).toEqual([{ ...sell, index: 1 }])
  expect(decode([paidIn, swap, batched([sold, fee, all, all])], { held })).toEqual([{ ...sell, index: 1 }])
})

test('what goes to a token account that is itself the signer counts once', () => {
  const named = (calls: LandedCall[], at: number): LandedCall[] => {
    const account = (calls[0] as LandedCall).accounts[at] as Address
    const rename = (address: Address) => (address === trader ? account : address)
    return calls.map(call => ({ ...call, accounts: call.accounts.map(rename) }))
  }
  // The pool's program takes any signer as the payer, and any account for what is received.
  expect(decode(named(poolSwap('buy', 900n, 10_000n), 5))).toMatchObject([{ baseAmount: 900n }])
  expect(decode(named(poolSwap('sell', 10_000n, 4_000n), 5))).toMatchObject([{ quoteAmount: 4_000n }])
  const [swap] = bought() as [LandedCall]
  const at = (place: number) => swap.accounts[place] as Address
  const sold = [swap, transferred(at(5), at(4), 5_000n), transferred(at(7), at(6), 980n)]
  expect(decode(named(sold, 6))).toMatchObject([{ kind: 'sell', quoteAmount: 980n }])
})

test.each([
  ['', []],
  ['1', [0]],
  ['2', [1]],
  ['5Q', [255]],
  ['LUv', [255, 255]],
  ['11LUv', [0, 0, 255, 255]],
])('base58 %s', (text, bytes) => expect([...decodeBase58(text)]).toEqual(bytes))

test('base58 of any bytes is decoded, as other codecs do', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), bytes => {
      const text = getBase58Decoder().decode(bytes)
      expect(decodeBase58(text)).toEqual(Uint8Array.from(bytes))
    }),
  )
})

test('text that is not base58 is refused', () => expect(() => decodeBase58('0OIl')).toThrow(RangeError))
