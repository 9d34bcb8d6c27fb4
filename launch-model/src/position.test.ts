import type { Address } from '@slipway/schema/address'
import { expect, test } from 'vitest'
import { graduationTriggers, refuseGraduation } from './end-of-sale.ts'
import type { Deposit } from './kinds/bucket-kind.ts'
import { resolvePosition } from './position.ts'
import type { PlacedBucket, UnlockedBucket } from './position-accounts.ts'

const [SALE, TEAM, POOL, WALLET] = ['sale', 'team', 'pool', 'wallet'] as never as [
  Address,
  Address,
  Address,
  Address,
]
const SOL = 1_000_000_000n
const END = 1_000
const at = (time: number, recorded?: number) => ({
  kind: 'TimeAbsolute' as const,
  time: BigInt(time),
  ...(recorded !== undefined && { triggeredTimestamp: BigInt(recorded) }),
})
const always = { kind: 'Always' as const }
const never = { kind: 'Never' as const }
const BASE = { bucketIndex: 0, baseTokenAllocation: 800n, baseTokenBalance: 800n }
const send = (bucket: Address) =>
  ({ kind: 'SendQuoteTokenPercentage', bucket, percentageBps: 10_000, processed: false }) as const
const sendPrice = (bucket: Address) => ({ kind: 'SendStartPrice', bucket, processed: false }) as const

/** A pool with 10 SOL, from 100 to 1,000, whose proceeds go to the team. */
const sale = (more: object = {}): PlacedBucket =>
  ({
    ...BASE,
    kind: 'launchpoolV2',
    address: SALE,
    quoteTokenBalance: 10n * SOL,
    quoteTokenDepositTotal: 10n * SOL,
    weightedQuoteTokenTotal: 10n * SOL,
    conditions: { DepositStart: at(100), DepositEnd: at(END), ClaimStart: at(END + 1), ClaimEnd: never },
    extensions: {},
    endBehaviors: [send(TEAM)],
    ...more,
  }) as never
const team = (more: object = {}): UnlockedBucket =>
  ({
    ...BASE,
    kind: 'unlockedV2',
    address: TEAM,
    recipient: WALLET,
    claimed: false,
    claimFeeType: 0,
    claimFee: 0n,
    baseTokenBalance: 200n,
    quoteTokenBalance: 0n,
    conditions: { ClaimStart: always, ClaimEnd: never },
    extensions: {},
    ...more,
  }) as never
const deposit = { claimed: false, amount: 10n * SOL, weighted: 10n * SOL, amountClaimed: 0n } as Deposit
const goal = { minimumQuoteTokenThreshold: 100n * SOL }

const accounts = (
  nowSeconds: number,
  buckets: readonly PlacedBucket[],
  { unlocked = [], deposits = [] }: { unlocked?: UnlockedBucket[]; deposits?: Address[] } = {},
) => ({
  wallet: WALLET,
  nowSeconds,
  buckets,
  unlocked,
  deposits: new Map(deposits.map(bucket => [bucket, deposit])),
})

test('while a sale is open, its team is paid nothing and can see when the sale ends, even below the goal', () => {
  const position = resolvePosition(accounts(500, [sale({ extensions: goal })], { unlocked: [team()] }))
  expect([position.owed, position.refusals.claim, position.nextClaim]).toEqual([
    [],
    'CLAIMS_NOT_STARTED',
    BigInt(END),
  ])
  const missed = resolvePosition(accounts(END, [sale({ extensions: goal })], { unlocked: [team()] }))
  expect(missed.owed).toMatchObject([{ kind: 'unlocked', tokens: 200n, quote: 0n, triggers: [] }])
})

test('a sale that has missed its goal sends nothing, even if its end has not been recorded', () => {
  const conditions = {
    DepositEnd: { kind: 'TimeRelative', bucket: TEAM, bucketTime: 'ClaimStart', timeOffset: 0n },
  }
  const ended = sale({ extensions: goal, conditions })
  const unlocked = [team({ conditions: { ClaimStart: at(400), ClaimEnd: never } })]
  expect(resolvePosition(accounts(500, [ended], { unlocked })).owed).toMatchObject([
    { quote: 0n, triggers: [] },
  ])
})

test('while a sale is open and below its goal, a depositor can see when claims start', () => {
  const open = accounts(500, [sale({ extensions: goal })], { deposits: [SALE] })
  expect(resolvePosition(open).nextClaim).toBe(BigInt(END + 1))
  expect(resolvePosition({ ...open, nowSeconds: END }).nextClaim).toBeUndefined()
})

test('the next claim is the first of all buckets in which the wallet has something', () => {
  const other = 'other' as Address
  const later = sale({
    address: other,
    bucketIndex: 1,
    baseTokenAllocation: 1n,
    endBehaviors: [],
    conditions: { ClaimStart: at(3_000) },
  })
  const unlocked = [team({ conditions: { ClaimStart: at(2_000), ClaimEnd: never } })]
  const only = accounts(END + 5, [sale({ endBehaviors: [] }), later], { deposits: [other] })
  expect(resolvePosition(only).nextClaim).toBe(3_000n)
  const both = resolvePosition({ ...only, unlocked })
  expect([both.nextClaim, both.refusals.claim]).toEqual([2_000n, 'CLAIMS_NOT_STARTED'])
  const someoneElses = [team({ recipient: SALE, conditions: unlocked[0]?.conditions })]
  expect(resolvePosition({ ...only, unlocked: someoneElses }).nextClaim).toBe(3_000n)
  expect(resolvePosition({ ...only, unlocked: [team({ ...unlocked[0], claimed: true })] }).nextClaim).toBe(
    3_000n,
  )
})

test('a cliff that releases nothing starts no claim', () => {
  const claimSchedule = {
    start: at(5_000),
    cliff: at(END + 10),
    cliffAmountBps: 0,
    duration: 100n,
    period: 10n,
  }
  const due = (cliffAmountBps: number) =>
    resolvePosition(
      accounts(END + 20, [sale({ extensions: { claimSchedule: { ...claimSchedule, cliffAmountBps } } })], {
        deposits: [SALE],
      }),
    ).owed.length
  expect([due(0), due(1_000)]).toEqual([0, 1])
})

test('after the end of claims a presale and a pool pay nothing, and start nothing', () => {
  for (const kind of ['presaleV2', 'launchpoolV2']) {
    const claimSchedule = { start: at(END), cliff: at(END), cliffAmountBps: 10, duration: 10n, period: 1n }
    const conditions = {
      DepositStart: at(100),
      DepositEnd: at(END),
      ClaimStart: at(END),
      ClaimEnd: at(2_000),
    }
    const ended = (extensions: object) =>
      sale({ kind, allocationQuoteTokenCap: 10n * SOL, conditions, extensions })
    for (const extensions of [{}, { claimSchedule }]) {
      const position = (now: number) =>
        resolvePosition(accounts(now, [ended(extensions)], { deposits: [SALE] }))
      expect([kind, position(1_999).owed.length]).toEqual([kind, 1])
      const late = position(2_000)
      expect([kind, late.owed, late.refusals.claim, late.nextClaim]).toEqual([
        kind,
        [],
        'NOTHING_TO_CLAIM',
        undefined,
      ])
    }
  }
})

const pool = (more: object = {}) =>
  ({
    ...BASE,
    kind: 'raydiumCpmmV2',
    address: POOL,
    quoteTokenInSigner: 0n,
    priceNumerator: 0n,
    conditions: { GraduateStart: always },
    extensions: {},
    ...more,
  }) as never as PlacedBucket & { kind: 'raydiumCpmmV2' }

test('a launch graduates only once every sale that still has to send something has ended', () => {
  const sells = sale({ endBehaviors: [send(POOL), sendPrice(POOL)] })
  const open = sale({
    address: 'open',
    conditions: { DepositStart: at(100), DepositEnd: at(9_000) },
    endBehaviors: [send(POOL)],
  })
  expect(refuseGraduation(accounts(END, [sells, pool()]), pool())).toBeUndefined()
  expect(refuseGraduation(accounts(END, [sells, open, pool()]), pool())).toBe('NOT_ENDED')
  expect(refuseGraduation(accounts(9_000, [sells, open, pool()]), pool())).toBeUndefined()
})

test('a sale without proceeds is not made to send any, nor a price', () => {
  const empty = sale({
    address: 'empty',
    quoteTokenBalance: 0n,
    quoteTokenDepositTotal: 0n,
    endBehaviors: [send(TEAM), sendPrice(POOL)],
  })
  expect(resolvePosition(accounts(END, [empty], { unlocked: [team()] })).owed).toMatchObject([
    { kind: 'unlocked', tokens: 200n, triggers: [] },
  ])
  const sells = sale({ endBehaviors: [send(POOL)] })
  expect(graduationTriggers(accounts(END, [sells, empty, pool()]), pool())).toMatchObject([
    { bucket: { address: SALE } },
  ])
  expect(refuseGraduation(accounts(END, [sells, empty, pool()]), pool())).toBe('NO_POOL')
})
