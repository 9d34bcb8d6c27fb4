import { depositAddress } from '@slipway/launch-model/addresses'
import { createKeypair } from '@slipway/local-chain/ledger/keypair'
import { buildTokenAccount } from '@slipway/local-chain/testing/token-accounts'
import type { Address } from '@slipway/schema/address'
import { beforeEach, expect, test } from 'vitest'
import { createMarkets, type Markets } from '../trading/markets.ts'
import { buildPosition } from './build-position.ts'
import { buildLaunchClaim } from './claim.ts'
import { buildDeposit } from './deposit.ts'
import { positionAccounts, toPosition } from './resolve-position.ts'
import { refusalOf, SOL, startSale, type TestSale, TIMES } from './test-sale.ts'
import { goal } from './test-sale-cases.ts'
import { buildWithdrawal } from './withdraw.ts'

let sale: TestSale
beforeEach(async () => {
  sale = await startSale()
  sale.advanceTo(TIMES.start)
})

/** The service on an endpoint that answers some accounts differently. */
function lyingParts(change: (address: Address) => object | undefined, now?: () => number) {
  const markets = createMarkets(
    {
      async fetchAccounts(addresses) {
        const { slot, accounts } = await sale.reader.fetchAccounts(addresses)
        return {
          slot,
          accounts: accounts.map(account => ({ ...account, ...change(account.address) }) as never),
        }
      },
    },
    'mainnet',
    { slotMs: () => 400, ...(now && { now }) },
  )
  return { ...sale.parts, markets }
}
const request = (wallet: Address) => ({ genesis: sale.genesis, wallet, priorityFee: 0n })

test('an endpoint that lacks a bucket or invents the rent is not trusted', async () => {
  const wallet = sale.wallet().address
  const deposit = (change: Parameters<typeof lyingParts>[0]) =>
    refusalOf(buildDeposit(lyingParts(change), { ...request(wallet), amount: SOL }))
  let isGone = false
  const parts = lyingParts(address => (isGone && address === sale.unlocked ? { exists: false } : undefined))
  const build = () => buildDeposit(parts, { ...request(wallet), amount: SOL })
  await build()
  isGone = true
  expect((await refusalOf(build())).code).toBe('SERVICE_UNAVAILABLE')
  const rent = new Uint8Array(17)
  new DataView(rent.buffer).setBigUint64(0, 2n ** 40n, true)
  new DataView(rent.buffer).setFloat64(8, 2, true)
  const invented = await deposit(address =>
    address.startsWith('SysvarRent') ? { exists: true, data: rent } : undefined,
  )
  expect(invented.code).toBe('SERVICE_UNAVAILABLE')
})

test('a deposit that names another wallet or bucket counts for no one and pays nothing', async () => {
  const [owner, thief] = [sale.wallet(), sale.wallet()]
  expect(sale.land((await sale.deposit({ wallet: owner.address }, SOL)).tx, owner).err).toBeNull()
  const stolen = sale.chain.account(depositAddressOf(owner.address))
  const place = depositAddressOf(thief.address)
  sale.chain.writeAccounts(new Map([[place, stolen as never]]))
  expect((await sale.position(thief.address)).deposited).toBe('0')
  sale.advanceTo(TIMES.end + 2)
  expect((await refusalOf(sale.claim({ wallet: thief.address }))).code).toBe('NOTHING_TO_CLAIM')
})
const depositAddressOf = (wallet: Address) => depositAddress(sale.kind, sale.bucket, wallet)

test('no transaction pays into a token account that someone else controls', async () => {
  const [wallet, other] = [sale.wallet(), createKeypair().address]
  for (const mint of [sale.mint, sale.wrapped]) {
    const account = sale.tokenAccount(wallet.address, mint)
    sale.chain.writeAccounts(new Map([[account, buildTokenAccount(mint, other, 5n, sale.rent)]]))
    expect((await refusalOf(sale.deposit({ wallet: wallet.address }, SOL))).code).toBe('TOKEN_ACCOUNT_TAKEN')
    sale.changeAccount(account, before => ({ ...before, lamports: 0n }))
  }
})

test('a wrapped account that someone else may close receives nothing, and blocks only what would use it', async () => {
  for (const isMissed of [false, true]) {
    const fresh = await startSale({ extensions: isMissed ? [goal(10n * SOL)] : [] })
    const wallet = fresh.wallet()
    const who = { wallet: wallet.address }
    fresh.advanceTo(TIMES.start)
    expect(fresh.land((await fresh.deposit(who, SOL)).tx, wallet).err).toBeNull()
    fresh.hold(wallet.address, 7n)
    fresh.changeAccount(fresh.tokenAccount(wallet.address), account => {
      const data = Uint8Array.from(account.data)
      data.set([1, 0, 0, 0], 129)
      data.set(new Uint8Array(32).fill(7), 133)
      return { ...account, data }
    })
    for (const built of [fresh.deposit(who, SOL), fresh.withdraw(who, 'all')])
      expect((await refusalOf(built)).code).toBe('TOKEN_ACCOUNT_TAKEN')
    fresh.advanceTo(TIMES.end + 2)
    if (isMissed) expect((await refusalOf(fresh.claim(who))).code).toBe('TOKEN_ACCOUNT_TAKEN')
    else
      for (const tx of (await fresh.claim(who)).transactions)
        expect(fresh.land(tx, wallet)).toMatchObject({ err: null })
  }
})

test('a simulation that fails says why, with the text of the matching error if there is one', async () => {
  const wallet = sale.wallet().address
  const failing = (code: number) => ({
    ...sale.parts,
    rpc: {
      ...sale.parts.rpc,
      simulate: async () => ({
        err: { InstructionError: [4, { Custom: code }] },
        logs: [
          'Program log: the moon is full',
          `Program GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B failed: custom program error: 0x${code.toString(16)}`,
        ],
      }),
    },
  })
  const refusal = (code: number) =>
    refusalOf(buildDeposit(failing(code), { ...request(wallet), amount: SOL }))
  expect((await refusal(74)).code).toBe('ALLOW_LIST_ONLY')
  // Only an answer that knows the limit can name it.
  for (const code of [71, 72, 73, 167])
    expect(await refusal(code)).toMatchObject({
      code: 'TRANSACTION_WOULD_FAIL',
      details: [{ message: 'the moon is full' }],
    })
  const unknown = await refusal(4_242)
  expect([unknown.code, unknown.details?.[0]?.message]).toEqual([
    'TRANSACTION_WOULD_FAIL',
    'the moon is full',
  ])
  const claim = refusalOf(buildLaunchClaim(sale.parts, { ...request(wallet), unwrap: false }))
  expect((await claim).code).toBe('CLAIMS_NOT_STARTED')
})

test('tokens whose transfers can be stopped are not deposited for', async () => {
  const fresh = await startSale()
  fresh.changeAccount(fresh.mint, account => {
    const data = new Uint8Array(165 + 1 + 4 + 108)
    data.set(account.data)
    data[165] = 1
    new DataView(data.buffer).setUint16(166, 26, true)
    new DataView(data.buffer).setUint16(168, 108, true)
    return { ...account, data, owner: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as never }
  })
  fresh.advanceTo(TIMES.start)
  const wallet = fresh.wallet().address
  expect((await refusalOf(fresh.deposit({ wallet }, SOL))).code).toBe('RESTRICTED_TOKEN')
  const { actions } = await fresh.position(wallet)
  const text = "This launch's tokens have restricted transfers"
  expect(actions.map(({ reason }) => reason === text)).toEqual([false, false, true, false, false])
})

test('a depositor can claim tokens whose transfers can be stopped, as long as they are not', async () => {
  const fresh = await startSale()
  fresh.advanceTo(TIMES.start)
  const wallet = fresh.wallet()
  expect(fresh.land((await fresh.deposit({ wallet: wallet.address }, SOL)).tx, wallet).err).toBeNull()
  const parts = { ...fresh.parts, markets: restricted(fresh.parts.markets) }
  const asks = { genesis: fresh.genesis, wallet: wallet.address, priorityFee: 0n }
  expect((await refusalOf(buildDeposit(parts, { ...asks, amount: SOL }))).code).toBe('RESTRICTED_TOKEN')
  expect((await buildWithdrawal(parts, { ...asks, amount: SOL / 2n })).receives).toBe('490000000')
  const { actions } = buildPosition(
    toPosition(await parts.markets.read(fresh.genesis, positionAccounts(wallet.address)), wallet.address),
  )
  expect(actions[3]).toEqual({ action: 'withdraw', available: true, reason: null })
  fresh.advanceTo(TIMES.end + 2)
  expect((await buildLaunchClaim(parts, { ...asks, unwrap: false })).receives.tokens).toBe('800000000000000')
})
const restricted = (markets: Markets): Markets => ({
  ...markets,
  async read(genesis, also) {
    const reading = await markets.read(genesis, also)
    return { ...reading, shape: { ...reading.shape, base: { ...reading.shape.base, isRestricted: true } } }
  },
})

test('a launch that an endpoint has shown without a bucket is read again within half a minute', async () => {
  let [isGone, nowMs] = [true, 1_000]
  const { markets } = lyingParts(
    address => (isGone && address === sale.unlocked ? { exists: false } : undefined),
    () => nowMs,
  )
  expect((await markets.read(sale.genesis, () => [])).shape.unlocked).toEqual([])
  isGone = false
  nowMs += 30_001
  expect((await markets.read(sale.genesis, () => [])).shape.unlocked).toEqual([sale.unlocked])
})
