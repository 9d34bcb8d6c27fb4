import { rentFor } from '@slipway/local-chain/conditions'
import { expect, test } from 'vitest'
import { formatSol } from '../../lib/format-units.ts'
import { createMarkets } from '../trading/markets.ts'
import { refusalOf, SOL, startSale, TIMES } from './test-sale.ts'
import { goal, limit, minimum } from './test-sale-cases.ts'

const FEE = 5_000n
const ACCOUNT_RENT = rentFor(165)
const DEPOSIT_RENT = rentFor(104)

test('deposits and withdrawals are possible in the first and the last second of their window, and not a second before or after', async () => {
  const sale = await startSale()
  const wallet = sale.wallet()
  const who = { wallet: wallet.address }
  sale.advanceTo(TIMES.start - 1)
  expect((await refusalOf(sale.deposit(who, SOL))).message).toBe('Deposits have not started')
  sale.advanceTo(TIMES.start)
  expect(sale.land((await sale.deposit(who, SOL)).tx, wallet).err).toBeNull()
  sale.advanceTo(TIMES.end - 1)
  expect(sale.land((await sale.deposit(who, SOL)).tx, wallet).err).toBeNull()
  sale.advanceTo(TIMES.end - 1)
  expect(sale.land((await sale.withdraw(who, SOL / 2n)).tx, wallet).err).toBeNull()
  sale.advanceTo(TIMES.end)
  expect((await refusalOf(sale.deposit(who, SOL))).message).toBe('Deposits have ended')
  expect((await refusalOf(sale.withdraw(who, 'all'))).message).toBe('Withdrawals have ended')
  expect((await refusalOf(sale.claim(who))).message).toBe('Claims have not started')
  sale.advanceTo(TIMES.end + 2)
  expect((await sale.claim(who)).receives.tokens).toBe('800000000000000')
})

test('a transaction that was built in the last second and lands after it fails, and costs only its fee', async () => {
  const sale = await startSale()
  const wallet = sale.wallet()
  sale.advanceTo(TIMES.end - 1)
  const { tx } = await sale.deposit({ wallet: wallet.address }, SOL)
  sale.advanceTo(TIMES.end)
  const before = sale.lamports(wallet.address)
  expect(sale.land(tx, wallet).err).toMatchObject({ InstructionError: [4, { Custom: 21 }] })
  expect(before - sale.lamports(wallet.address)).toBe(FEE)
})

test('a first deposit costs what the answer says, network fees and the rent of two accounts, which come back with the deposit', async () => {
  const sale = await startSale()
  const wallet = sale.wallet()
  const who = { wallet: wallet.address }
  sale.advanceTo(TIMES.start)
  const before = sale.lamports(wallet.address)
  const deposit = await sale.deposit(who, SOL)
  expect(deposit).toMatchObject({
    cost: { paid: '1000000000', fee: '20000000', penalty: '0', credited: '980000000' },
    partial: false,
    position: { deposited: '980000000', share: 1, entitled: '800000000000000', balance: '0' },
  })
  expect(sale.land(deposit.tx, wallet).err).toBeNull()
  expect(before - sale.lamports(wallet.address)).toBe(SOL + FEE + ACCOUNT_RENT + DEPOSIT_RENT)
  const withdrawal = await sale.withdraw(who, 'all')
  expect(withdrawal).toMatchObject({ receives: '960400000', position: { deposited: '0', share: 0 } })
  expect(sale.land(withdrawal.tx, wallet).err).toBeNull()
  expect(before - sale.lamports(wallet.address)).toBe(SOL - 960_400_000n + 2n * FEE)
  expect([sale.hasDeposit(wallet.address), sale.tokens(wallet.address, sale.mint)]).toEqual([
    false,
    undefined,
  ])
})

test('a wallet with two sponsors has one deposit, which can be closed and opened again', async () => {
  const sale = await startSale()
  const [wallet, first, second] = [sale.wallet(5n * SOL), sale.wallet(), sale.wallet()]
  sale.advanceTo(TIMES.start)
  const by = (payer: typeof first) => ({ wallet: wallet.address, payer: payer.address })
  for (const sponsor of [first, second])
    expect(sale.land((await sale.deposit(by(sponsor), SOL)).tx, sponsor, wallet).err).toBeNull()
  expect((await sale.position(wallet.address)).deposited).toBe('1960000000')
  expect(sale.lamports(wallet.address)).toBe(3n * SOL)

  const before = sale.lamports(second.address)
  const all = await sale.withdraw(by(second), 'all')
  expect(sale.land(all.tx, second, wallet).err).toBeNull()
  // The payer of the withdrawal gets the rents, which the first sponsor paid.
  expect(sale.lamports(second.address) - before).toBe(ACCOUNT_RENT + DEPOSIT_RENT - 2n * FEE)
  expect((await sale.position(wallet.address)).deposited).toBe('0')
  expect((await refusalOf(sale.withdraw(by(second), 1n))).message).toBe('Nothing to withdraw')
  expect(sale.land((await sale.deposit(by(first), SOL)).tx, first, wallet).err).toBeNull()
  expect((await sale.position(wallet.address)).deposited).toBe('980000000')
})

test('a wrapped account holds the same after deposits, withdrawals and unwrapped refunds, with a sponsor too', async () => {
  const sale = await startSale({ extensions: [goal(100n * SOL)] })
  const [wallet, sponsor] = [sale.wallet(), sale.wallet()]
  sale.hold(wallet.address, 3n * SOL)
  for (const payer of [wallet, sponsor]) {
    const who = { wallet: wallet.address, payer: payer.address }
    const signers = payer === wallet ? [wallet] : [sponsor, wallet]
    sale.advanceTo(TIMES.start)
    expect(sale.land((await sale.deposit(who, SOL)).tx, ...signers).err).toBeNull()
    expect(sale.land((await sale.withdraw(who, SOL / 4n)).tx, ...signers).err).toBeNull()
    expect(sale.tokens(wallet.address)).toBe(3n * SOL)
  }
  sale.advanceTo(TIMES.end)
  const before = sale.lamports(wallet.address)
  const who = { wallet: wallet.address, payer: sponsor.address }
  const { transactions, receives } = await sale.claim(who, true)
  expect(receives).toEqual({ tokens: '0', quote: '1460000000' })
  expect(transactions).toHaveLength(1)
  expect(sale.land(transactions[0] as string, sponsor, wallet).err).toBeNull()
  expect(sale.tokens(wallet.address)).toBe(3n * SOL)
  expect(sale.lamports(wallet.address) - before).toBe(1_460_000_000n)
  expect((await refusalOf(sale.claim(who))).message).toBe('Nothing to claim')
})

test('the minimum and the limit are shown in SOL, and apply to everything that a wallet has deposited', async () => {
  const sale = await startSale({ extensions: [minimum, limit] })
  const wallet = sale.wallet()
  const who = { wallet: wallet.address }
  sale.advanceTo(TIMES.start)
  expect((await refusalOf(sale.deposit(who, SOL / 20n))).message).toBe(
    'Below the minimum deposit of 0.05 SOL',
  )
  expect(sale.land((await sale.deposit(who, SOL)).tx, wallet).err).toBeNull()
  expect(sale.land((await sale.deposit(who, 7n)).tx, wallet).err).toBeNull()
  expect((await refusalOf(sale.deposit(who, 6n * SOL))).message).toBe('Above the limit of 6 SOL per wallet')
})

test('a presale’s cap cuts a deposit, and then nothing is possible', async () => {
  const sale = await startSale({ kind: 'presaleV2' })
  const wallet = sale.wallet()
  const who = { wallet: wallet.address }
  sale.advanceTo(TIMES.start)
  const before = sale.lamports(wallet.address)
  const built = await sale.deposit(who, 50n * SOL)
  expect(built).toMatchObject({ partial: true, cost: { credited: '10000000000', paid: '10204081632' } })
  expect(built.position.share).toBe(1)
  expect(sale.land(built.tx, wallet).err).toBeNull()
  expect(before - sale.lamports(wallet.address)).toBe(10_204_081_632n + FEE + ACCOUNT_RENT + rentFor(96))
  expect((await refusalOf(sale.deposit(who, 1n))).message).toBe('The cap is reached')
  const { actions } = await sale.position(wallet.address)
  expect(actions.map(({ action, reason }) => [action, reason])).toEqual([
    ['buy', 'This launch takes deposits, not trades'],
    ['sell', 'This launch takes deposits, not trades'],
    ['deposit', 'The cap is reached'],
    ['withdraw', 'A presale pays no deposits back'],
    ['claim', 'Claims have not started'],
  ])
})

test('errors and positions say how long a cooldown lasts', async () => {
  const sale = await startSale({
    kind: 'presaleV2',
    extensions: [{ __kind: 'DepositCooldown', depositCooldown: { duration: 250n } }],
  })
  const wallet = sale.wallet()
  const who = { wallet: wallet.address }
  sale.advanceTo(TIMES.start)
  expect(sale.land((await sale.deposit(who, SOL)).tx, wallet).err).toBeNull()
  sale.advanceTo(TIMES.start + 60)
  const text = 'Wait 3 minutes 10 seconds before the next deposit'
  expect((await refusalOf(sale.deposit(who, SOL))).message).toBe(text)
  const { actions } = await sale.position(wallet.address)
  expect(actions[2]).toEqual({ action: 'deposit', available: false, reason: text })
  sale.advanceTo(TIMES.start + 250)
  expect(sale.land((await sale.deposit(who, SOL)).tx, wallet).err).toBeNull()
})

test('a wallet that can’t pay gets an error with its balance and the amount needed, for amounts of any size', async () => {
  const sale = await startSale()
  const [poor, sponsor] = [sale.wallet(SOL), sale.wallet(1_000n)]
  sale.advanceTo(TIMES.start)
  const detailOf = async (built: Promise<unknown>) => (await refusalOf(built)).details
  const least = SOL + 2n * ACCOUNT_RENT + DEPOSIT_RENT + FEE
  expect(await detailOf(sale.deposit({ wallet: poor.address }, SOL))).toEqual([
    { path: ['amount'], message: `has 1 SOL, needs ${formatSol(least)}` },
  ])
  expect(await detailOf(sale.deposit({ wallet: poor.address }, 2n ** 64n - 1n))).toMatchObject([
    { path: ['amount'] },
  ])
  const sponsored = { wallet: poor.address, payer: sponsor.address }
  expect(await detailOf(sale.deposit(sponsored, SOL / 2n))).toMatchObject([{ path: ['payer'] }])
  expect((await refusalOf(sale.withdraw({ wallet: poor.address }, 5n))).code).toBe('NOTHING_TO_WITHDRAW')
  expect(sale.land((await sale.deposit({ wallet: poor.address }, SOL / 2n)).tx, poor).err).toBeNull()
  expect(await detailOf(sale.withdraw({ wallet: poor.address }, SOL))).toEqual([
    { path: ['amount'], message: 'has 0.49 SOL, needs 1 SOL' },
  ])
})

test('a part of a kind that this version doesn’t know is counted as unread, and nothing else suffers', async () => {
  const sale = await startSale()
  const wallet = sale.wallet()
  const who = { wallet: wallet.address }
  const found: unknown[] = []
  expect(await sale.position(wallet.address)).toMatchObject({ unreadParts: 0 })
  sale.changeAccount(sale.unlocked, account => ({
    ...account,
    data: Uint8Array.from(account.data, (byte, at) => (at === 0 ? 250 : byte)),
  }))
  // The shape that has been read is kept for a while.
  sale.parts.markets = createMarkets(sale.reader, 'mainnet', {
    slotMs: () => 200,
    onUnread: (...args) => found.push(args),
  })
  sale.advanceTo(TIMES.start)
  expect(sale.land((await sale.deposit(who, SOL)).tx, wallet).err).toBeNull()
  expect(await sale.position(wallet.address)).toMatchObject({
    deposited: '980000000',
    share: 1,
    unreadParts: 1,
  })
  expect(sale.land((await sale.withdraw(who, 'all')).tx, wallet).err).toBeNull()
  expect(found[0]).toEqual([sale.genesis, 1])
})
