import { encodeCall } from '@slipway/launch-model/call'
import { swapOnCurveCall, tokensOf } from '@slipway/launch-model/calls/trades'
import { GENESIS_FEE_WALLET, GENESIS_PROGRAM, WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import { rentFor } from '@slipway/local-chain/conditions'
import { TOKEN_PROGRAM } from '@slipway/local-chain/ledger/account'
import { createKeypair, createTransaction } from '@slipway/local-chain/ledger/keypair'
import { systemTransfer } from '@slipway/local-chain/ledger/system-instructions'
import { decodeTokenAccount } from '@slipway/local-chain/ledger/token-balances'
import type { Instruction } from '@slipway/local-chain/programs/stand-in'
import { createManualChain, latestBlockhash, SOL } from '@slipway/local-chain/testing/start-chain'
import { createAssociatedAccount, createMint, syncNative } from '@slipway/local-chain/testing/token-accounts'
import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { tradesOnChain } from '../../testing/landed-trades.ts'

const u64 = (value: bigint): number[] => [...Buffer.from(BigUint64Array.of(value).buffer)]
const tokenCall = (data: readonly number[], writable: readonly Address[], signer: Address): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [
    ...writable.map(address => ({ address, isSigner: false, isWritable: true })),
    { address: signer, isSigner: true, isWritable: false },
  ],
  data: Uint8Array.from(data),
})
const transfer = (from: Address, to: Address, amount: bigint, owner: Address) =>
  tokenCall([3, ...u64(amount)], [from, to], owner)
const unwrapAll = (from: Address, to: Address, owner: Address) => tokenCall([45, 0], [from, to], owner)
/** Many calls of the token program in one, each after the numbers of its accounts and bytes. */
const batch = (...calls: Instruction[]): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: calls.flatMap(({ accounts }) => accounts),
  data: Uint8Array.from([
    255,
    ...calls.flatMap(({ accounts, data }) => [accounts.length, data.length, ...data]),
  ]),
})

/** A curve whose Genesis makes the calls of the token program that the test gives it. */
function createCurve() {
  const [trader, mint] = [createKeypair(), createKeypair()]
  const [genesis, curve] = [createKeypair().address, createKeypair().address]
  let inner: readonly Instruction[] = []
  const { chain } = createManualChain({
    standIns: [
      {
        address: GENESIS_PROGRAM,
        process({ invoke }) {
          for (const call of inner) invoke(call, [genesis, curve])
        },
      },
    ],
  })
  chain.mint(trader.address, 100n * SOL)
  const submit = (...instructions: Instruction[]) => {
    const names = new Set(instructions.flatMap(({ accounts }) => accounts.filter(ref => ref.isSigner)))
    const isMintNamed = [...names].some(({ address }) => address === mint.address)
    const { err, logs } = chain.submit(
      createTransaction(isMintNamed ? [trader, mint] : [trader], instructions, latestBlockhash({ chain })),
    )
    expect([err, err && logs]).toEqual([null, null])
  }
  const base = { mint: mint.address, program: TOKEN_PROGRAM }
  const quote = { mint: WRAPPED_NATIVE_MINT, program: TOKEN_PROGRAM }
  const open = (token: typeof base, owner: Address) =>
    createAssociatedAccount(trader.address, owner, token.mint)
  const wallets = [trader.address, curve, GENESIS_FEE_WALLET]
  submit(...createMint({ payer: trader.address, mint: mint.address, decimals: 6, rent: rentFor }))
  for (const owner of [genesis, trader.address])
    submit(
      open(base, owner),
      tokenCall([7, ...u64(1_000_000n)], [mint.address, tokensOf(base, owner)], trader.address),
    )
  for (const owner of wallets) {
    const account = tokensOf(quote, owner)
    submit(open(quote, owner), systemTransfer(trader.address, account, SOL), syncNative(account))
  }
  const [traderQuote, curveQuote, fees] = wallets.map(owner => tokensOf(quote, owner)) as [
    Address,
    Address,
    Address,
  ]
  return {
    trader: trader.address,
    genesis,
    curve,
    ofTrader: { base: tokensOf(base, trader.address), quote: traderQuote },
    ofCurve: { base: tokensOf(base, genesis), quote: curveQuote },
    fees,
    lamports: (address: Address) => chain.account(address)?.lamports ?? 0n,
    tokens: (address: Address) => decodeTokenAccount(chain.account(address))?.amount ?? 0n,
    /** Lands a swap in which Genesis makes these calls, after others of the trader's, and with bytes after its data. */
    swap(side: 'buy' | 'sell', calls: readonly Instruction[], before: readonly Instruction[] = [], more = 0) {
      inner = calls
      const order = { side, amountIn: 1n, amountOutMin: 0n }
      const people = { payer: trader.address, trader: trader.address }
      const built = encodeCall(swapOnCurveCall({ base, quote }, { genesis, curve }, people, order))
      submit(...before, {
        program: built.program,
        accounts: built.accounts.map(({ address, role }) => ({
          address,
          isSigner: role >= 2,
          isWritable: role % 2 === 1,
        })),
        data: Uint8Array.of(...built.data, ...new Uint8Array(more)),
      })
    },
    trades: () => tradesOnChain(chain, { genesis, baseMint: mint.address, bucket: curve }),
  }
}

test.each([0, 500])('a purchase whose tokens move in a batch is found, with %i more bytes', more => {
  const market = createCurve()
  const { trader, ofTrader, ofCurve, fees, genesis } = market
  const [paid, received] = [market.tokens(ofTrader.quote), market.tokens(ofTrader.base)]
  const calls = [
    batch(
      transfer(ofTrader.quote, ofCurve.quote, 900n, trader),
      transfer(ofTrader.quote, fees, 100n, trader),
    ),
    batch(transfer(ofCurve.base, ofTrader.base, 5_000n, genesis)),
  ]
  market.swap('buy', calls, [], more)
  const [trade, ...others] = market.trades()
  expect(others).toEqual([])
  expect(trade).toMatchObject({ kind: 'buy', wallet: trader, protocolFee: 100n })
  expect(trade?.quoteAmount).toBe(paid - market.tokens(ofTrader.quote))
  expect(trade?.baseAmount).toBe(market.tokens(ofTrader.base) - received)
})

test('a sale that unwraps all that a batch before it has left is found with what the wallet received', () => {
  const market = createCurve()
  const { trader, curve, ofTrader, ofCurve } = market
  // The trader's own batch changes what the curve's account holds when it is unwrapped.
  const own = batch(
    transfer(ofTrader.quote, ofCurve.quote, 700n, trader),
    transfer(ofTrader.quote, ofCurve.quote, 77n, trader),
  )
  const before = market.lamports(trader)
  market.swap(
    'sell',
    [batch(transfer(ofTrader.base, ofCurve.base, 6_000n, trader)), unwrapAll(ofCurve.quote, trader, curve)],
    [own],
  )
  const fee = 5_000n
  const received = market.lamports(trader) - before + fee
  expect(received).toBe(SOL + 777n)
  expect(market.trades()).toMatchObject([
    { kind: 'sell', wallet: trader, baseAmount: 6_000n, quoteAmount: received },
  ])
})
