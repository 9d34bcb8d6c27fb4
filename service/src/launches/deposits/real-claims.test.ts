import { BucketTimes, createClaimSchedule, createTimeRelativeCondition } from '@metaplex-foundation/genesis'
import { rentFor } from '@slipway/local-chain/conditions'
import { always, schedule, timeAt } from '@slipway/local-chain/testing/launches'
import { readPrograms, testRealPrograms } from '@slipway/local-chain/testing/real-programs'
import { expect } from 'vitest'
import { refusalOf, SOL, startSale, type TestSale, TIMES } from './test-sale.ts'
import { goal } from './test-sale-cases.ts'

const NEEDED = { programs: ['Genesis' as const, 'Token Metadata' as const, 'MPL Core' as const] }
const real = () => readPrograms(...NEEDED.programs)
const MONTH = 30 * 86_400
const ALLOCATION = 800_000_000_000_000n
const ACCOUNT_RENT = rentFor(165)
const FEE = 5_000n

async function depositOf(sale: TestSale, amount = SOL) {
  const wallet = sale.wallet()
  const { tx } = await sale.deposit({ wallet: wallet.address }, amount)
  expect(sale.land(tx, wallet).err).toBeNull()
  return wallet
}

async function claim(sale: TestSale, wallet: Awaited<ReturnType<typeof depositOf>>) {
  const { transactions, ...answer } = await sale.claim({ wallet: wallet.address })
  for (const tx of transactions) expect(sale.land(tx, wallet)).toMatchObject({ err: null })
  return answer
}

testRealPrograms(
  'the first claim starts a schedule, which pays month by month, and everything in the end',
  async () => {
    const extension = {
      __kind: 'ClaimSchedule' as const,
      claimSchedule: createClaimSchedule({
        startTime: BigInt(TIMES.end + 10),
        endTime: BigInt(TIMES.end + 10 + 12 * MONTH),
        period: BigInt(MONTH),
        cliffTime: BigInt(TIMES.end + 10),
        cliffAmountBps: 0,
      }),
    }
    for (const kind of ['launchpoolV2', 'presaleV2'] as const) {
      const sale = await startSale({ programs: real(), kind, extensions: [extension] })
      sale.advanceTo(TIMES.start)
      const wallet = await depositOf(sale, 20n * SOL)
      sale.advanceTo(TIMES.end + 4)
      const early = await refusalOf(sale.claim({ wallet: wallet.address }))
      expect([early.code, early.details]).toEqual([
        'NOTHING_TO_CLAIM',
        [{ path: ['wallet'], message: 'can claim from 2001-10-09T02:05:10.000Z on' }],
      ])

      // Months later, no transaction has recorded the schedule's start, so nothing has been released.
      const begun = TIMES.end + 5 * MONTH
      sale.advanceTo(begun)
      expect(await claim(sale, wallet)).toMatchObject({
        receives: { tokens: '0', quote: '0' },
        nextClaim: new Date((begun + MONTH) * 1_000).toISOString(),
      })
      sale.advanceTo(begun + MONTH - 2)
      const waiting = await refusalOf(sale.claim({ wallet: wallet.address }))
      expect([waiting.code, waiting.details?.[0]?.message]).toEqual([
        'NOTHING_TO_CLAIM',
        `can claim from ${new Date((begun + MONTH) * 1_000).toISOString()} on`,
      ])
      let sum = 0n
      for (let month = 1; month <= 12; month++) {
        sale.advanceTo(begun + month * MONTH)
        const before = await sale.position(wallet.address)
        const { receives } = await claim(sale, wallet)
        expect(before.claimable).toBe(receives.tokens)
        sum += BigInt(receives.tokens)
        expect(sale.tokens(wallet.address, sale.mint)).toBe(sum)
        expect((await refusalOf(sale.claim({ wallet: wallet.address }))).code).toBe('NOTHING_TO_CLAIM')
      }
      expect(sum).toBe(ALLOCATION)
      expect(await sale.position(wallet.address)).toMatchObject({
        entitled: `${ALLOCATION}`,
        claimed: `${ALLOCATION}`,
        claimable: '0',
        nextClaim: null,
      })
    }
  },
  NEEDED,
)

testRealPrograms(
  'the recipient of a launch gets tokens and proceeds in one transaction, with every missing trigger, and not before the proceeds are there',
  async () => {
    const sale = await startSale({ programs: real(), unlockedStart: always() })
    sale.advanceTo(TIMES.start)
    await depositOf(sale, 10n * SOL)
    const who = { wallet: sale.recipient.address }
    // The program would pay the tokens, close the account for the proceeds, and leave them in the pool for good.
    expect((await refusalOf(sale.claim(who))).code).toBe('CLAIMS_NOT_STARTED')
    expect(await sale.position(sale.recipient.address)).toMatchObject({ claimable: '0', proceeds: '0' })
    const withGoal = await startSale({
      programs: real(),
      unlockedStart: always(),
      extensions: [goal(100n * SOL)],
    })
    withGoal.advanceTo(TIMES.start)
    await depositOf(withGoal, 10n * SOL)
    expect((await refusalOf(withGoal.claim({ wallet: withGoal.recipient.address }))).code).toBe(
      'CLAIMS_NOT_STARTED',
    )
    sale.advanceTo(TIMES.end)
    const before = sale.lamports(sale.recipient.address)
    const { receives, transactions } = await sale.claim(who)
    // The program takes 5 % of the proceeds.
    expect(receives).toEqual({ tokens: '200000000000000', quote: '9310000000' })
    expect(transactions).toHaveLength(1)
    expect(sale.land(transactions[0] as string, sale.recipient)).toMatchObject({ err: null })
    // The rent of the bucket's token account pays the rent of the recipient's account.
    expect(sale.lamports(sale.recipient.address) - before).toBe(9_310_000_000n - FEE)
    expect(sale.tokens(sale.recipient.address, sale.mint)).toBe(200_000_000_000_000n)
    expect((await refusalOf(sale.claim(who))).code).not.toBe('TRANSACTION_WOULD_FAIL')
  },
  NEEDED,
)

testRealPrograms(
  'claims whose time is relative to another bucket wait until that bucket’s time is recorded, which the first claim does',
  async () => {
    const sale = await startSale({
      programs: real(),
      sale: launch => ({
        claimStartCondition: createTimeRelativeCondition(launch.unlocked, BucketTimes.ClaimStart, 60n),
      }),
    })
    sale.advanceTo(TIMES.start)
    const wallet = await depositOf(sale)
    sale.advanceTo(TIMES.end + 500)
    const first = await claim(sale, wallet)
    expect(first).toMatchObject({
      receives: { tokens: '0' },
      nextClaim: new Date((TIMES.end + 560) * 1_000).toISOString(),
    })
    sale.advanceTo(TIMES.end + 558)
    expect((await refusalOf(sale.claim({ wallet: wallet.address }))).code).toBe('CLAIMS_NOT_STARTED')
    sale.advanceTo(TIMES.end + 560)
    expect((await claim(sale, wallet)).receives.tokens).toBe(`${ALLOCATION}`)
  },
  NEEDED,
)

testRealPrograms(
  'a claim for another wallet needs no signature of that wallet, creates its token account, and costs the payer the rent',
  async () => {
    for (const kind of ['launchpoolV2', 'presaleV2'] as const) {
      const sale = await startSale({ programs: real(), kind })
      sale.advanceTo(TIMES.start)
      const wallet = await depositOf(sale, 2n * SOL)
      const payer = sale.wallet()
      sale.advanceTo(TIMES.end + 2)
      sale.changeAccount(sale.tokenAccount(wallet.address, sale.mint), account => ({
        ...account,
        lamports: 0n,
      }))
      const before = sale.lamports(payer.address)
      const { transactions, receives } = await sale.claim({ wallet: wallet.address, payer: payer.address })
      expect(sale.land(transactions[0] as string, payer)).toMatchObject({ err: null })
      expect(sale.tokens(wallet.address, sale.mint)).toBe(BigInt(receives.tokens))
      // A presale's fee account is created too, once.
      const rents = kind === 'presaleV2' ? 2n : 1n
      expect(before - sale.lamports(payer.address)).toBe(FEE + rents * ACCOUNT_RENT)
    }
  },
  NEEDED,
)

testRealPrograms(
  'deposits whose start is relative to another bucket are opened by the first deposit, in one transaction, for agents too',
  async () => {
    const sale = await startSale({
      programs: real(),
      unlockedStart: timeAt(TIMES.start),
      sale: launch => ({
        depositStartCondition: createTimeRelativeCondition(launch.unlocked, BucketTimes.ClaimStart, 0n),
      }),
    })
    const owner = sale.wallet()
    const agent = await sale.makeAgent(owner.address, { inCollection: true })
    const who = { wallet: owner.address, agent: agent.address }
    sale.advanceTo(TIMES.start - 2)
    expect((await refusalOf(sale.deposit(who, SOL))).code).toBe('DEPOSITS_NOT_STARTED')
    sale.advanceTo(TIMES.start + 4)
    const first = sale.land((await sale.deposit(who, SOL)).tx, owner)
    expect(first).toMatchObject({ err: null })
    expect(first.bytes).toBeLessThanOrEqual(1_132)
    const second = sale.land((await sale.deposit(who, SOL)).tx, owner)
    expect(second).toMatchObject({ err: null })
    expect(second.bytes).toBeLessThan(first.bytes)
    expect((await sale.position(agent.wallet)).deposited).toBe('1960000000')
  },
  NEEDED,
)

testRealPrograms(
  'a deposit that opens the sale is subject to the penalty and bonus that begin with it',
  async () => {
    const times = { start: TIMES.start, duration: TIMES.end - TIMES.start }
    const sale = await startSale({
      programs: real(),
      unlockedStart: timeAt(TIMES.start),
      sale: launch => ({
        depositStartCondition: createTimeRelativeCondition(launch.unlocked, BucketTimes.ClaimStart, 0n),
      }),
      extensions: [
        { __kind: 'DepositPenalty', depositPenalty: schedule([0, 1_000], [10_000, 2_000], times) },
        { __kind: 'BonusSchedule', bonusSchedule: schedule([0, 2_500], [10_000, 0], times) },
      ],
    })
    const wallet = sale.wallet()
    sale.advanceTo(TIMES.start + 4)
    const before = sale.feeTokens()
    const { tx, cost, position } = await sale.deposit({ wallet: wallet.address }, SOL)
    expect(cost).toMatchObject({ paid: '1098000000', penalty: '98000000' })
    expect(sale.land(tx, wallet)).toMatchObject({ err: null })
    expect(sale.feeTokens() - before).toBe(BigInt(cost.fee) + BigInt(cost.penalty))
    expect(await sale.position(wallet.address)).toMatchObject({
      deposited: position.deposited,
      share: position.share,
      entitled: position.entitled,
    })
  },
  NEEDED,
)

testRealPrograms(
  'a team gets its tokens from a launch without deposits',
  async () => {
    const sale = await startSale({ programs: real() })
    sale.advanceTo(TIMES.end + 2)
    const { transactions, receives } = await sale.claim({ wallet: sale.recipient.address })
    expect(receives).toEqual({ tokens: '200000000000000', quote: '0' })
    expect(sale.land(transactions[0] as string, sale.recipient)).toMatchObject({ err: null })
    expect(sale.tokens(sale.recipient.address, sale.mint)).toBe(200_000_000_000_000n)
  },
  NEEDED,
)

testRealPrograms(
  'an allow list keeps everyone out until its time is over',
  async () => {
    for (const kind of ['launchpoolV2', 'presaleV2'] as const) {
      const sale = await startSale({
        programs: real(),
        kind,
        extensions: [
          {
            __kind: 'Allowlist',
            allowlist: {
              enabled: true,
              merkleTreeHeight: 1,
              padding: Array(6).fill(0),
              merkleRoot: new Uint8Array(32).fill(7),
              endTime: TIMES.start + 400,
              quoteCap: 9n * SOL,
            },
          },
        ],
      })
      const wallet = sale.wallet()
      const who = { wallet: wallet.address }
      sale.advanceTo(TIMES.start + 400)
      expect((await refusalOf(sale.deposit(who, SOL))).code).toBe('ALLOW_LIST_ONLY')
      const [forced] = await sale.forceDeposit(who, SOL)
      expect(JSON.stringify(sale.land(forced as string, wallet).err)).toContain('{"Custom":74}')
      sale.advanceTo(TIMES.start + 402)
      expect(sale.land((await sale.deposit(who, SOL)).tx, wallet)).toMatchObject({ err: null })
    }
  },
  NEEDED,
)
