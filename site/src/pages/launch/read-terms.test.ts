import { addressBytes } from '@slipway/launch-model/bytes/base58'
import type { Address } from '@slipway/launch-model/programs'
import { expect, test } from 'vitest'
import { saleEndOf } from './launch-terms.tsx'
import { describePayout, describeTerms, readRights } from './read-terms.ts'

const DAY = 86_400n
const at = (name: string) => name as Address
const release = (start: 'Always' | 'Never', duration: bigint, cliffAmountBps: number) => ({
  start: { kind: start },
  cliff: { kind: 'Always' },
  period: DAY,
  ...{ duration, cliffAmountBps },
})
const send = (bucket: string, percentageBps: number) => ({
  kind: 'SendQuoteTokenPercentage',
  processed: false,
  bucket: at(bucket),
  percentageBps,
})

test('every part of the tokens and of the money is said, with who gets it and when', () => {
  const sale = {
    baseTokenAllocation: 600n,
    // The chain took note of it a day later.
    conditions: {
      DepositEnd: { kind: 'TimeAbsolute', time: 1_789_997_600n, triggeredTimestamp: 1_790_084_000n },
    },
    endBehaviors: [send('pool', 8_000), send('team', 2_000), { kind: 'SendStartPrice', bucket: at('pool') }],
    extensions: {
      claimSchedule: release('Always', 364n * DAY, 1_000),
      minimumQuoteTokenThreshold: 250n,
      withdrawPenalty: {},
    },
    ...{ depositFeeType: 0, depositFee: 200n, withdrawFeeType: 0, withdrawFee: 150n },
    // A flat fee, which depends on no amount.
    ...{ claimFeeType: 1, claimFee: 5_000n },
  }
  const pool = {
    baseTokenAllocation: 200n,
    conditions: {},
    extensions: { lpLockSchedule: release('Never', 30n * DAY, 0) },
  }
  const team = {
    baseTokenAllocation: 150n,
    conditions: { ClaimStart: { kind: 'TimeAbsolute', time: 1_800_000_000n } },
    recipient: at('creator'),
  }
  const buckets = [
    { kind: 'launchpoolV2', address: at('sale'), account: sale },
    { kind: 'raydiumCpmmV2', address: at('pool'), account: pool },
    { kind: 'unlockedV2', address: at('team'), account: team },
  ]
  expect(describeTerms(buckets as never, 1_000n)).toEqual({
    tokens: [
      { share: 0.6, text: 'shared by everyone who deposits, paid out over 1 year, 10% of it at first' },
      { share: 0.2, text: 'into the liquidity pool, locked for good' },
      { share: 0.15, text: 'to a wallet, from 2027-01-15 on', wallet: 'creator' },
      { share: 0.05, text: 'in a part that this version can’t read' },
    ],
    money: [
      { share: 0.8, text: 'into the liquidity pool' },
      { share: 0.2, text: 'to a wallet', wallet: 'creator' },
    ],
    fees: [
      { share: 0.02, text: 'of each deposit', on: 'paying' },
      { share: 0.015, text: 'of each withdrawal, and a penalty', on: 'leaving' },
    ],
    hasPool: true,
    hasPenalty: true,
    poolBucket: 'pool',
    endsAt: '2026-09-21T13:33:20.000Z',
    payout: expect.objectContaining({ firstShare: 0.1 }),
    rollsOver: false,
    least: '250',
  })
})

test('liquidity that can be withdrawn names who can withdraw it', () => {
  const liquidity = (lpClaimAuthority: string | undefined, lpLockSchedule?: object) => {
    const account = {
      baseTokenAllocation: 1n,
      conditions: {},
      lpClaimAuthority,
      extensions: { lpLockSchedule },
    }
    const terms = describeTerms(
      [{ kind: 'raydiumCpmmV2', address: at('pool'), account: account as never }],
      1n,
    )
    const [term] = terms.tokens
    return [term?.text, term?.wallet, terms.isUnowned]
  }
  const pool = 'into the liquidity pool'
  expect(liquidity(undefined)).toEqual([pool, undefined, true])
  expect(liquidity('owner')).toEqual([
    `${pool}. After graduation, the liquidity can be withdrawn at any time by`,
    'owner',
    undefined,
  ])
  const year = release('Always', 364n * DAY, 0)
  expect(liquidity('owner', year)).toEqual([
    `${pool}, locked, and released over 1 year, to`,
    'owner',
    undefined,
  ])
  expect(liquidity('owner', release('Never', DAY, 0))).toEqual([
    `${pool}, locked for good`,
    undefined,
    undefined,
  ])
  // A lock says when. Nothing is said about who.
  expect(liquidity(undefined, year)).toEqual([
    `${pool}, locked, and released over 1 year`,
    undefined,
    undefined,
  ])
})

test('the terms say who can create more tokens and who can freeze them', () => {
  const launch = at(`${'1'.repeat(31)}3`)
  const wallet = at(`${'1'.repeat(31)}4`)
  const rightsOf = (maker: Address | null, freezer: Address | null) => {
    const mint = new Uint8Array(82)
    for (const [holder, offset] of [[maker, 0] as const, [freezer, 46] as const]) {
      if (holder === null) continue
      mint[offset] = 1
      mint.set(addressBytes(holder), offset + 4)
    }
    return readRights(mint, launch)
  }
  expect(rightsOf(null, null)).toEqual({ minter: 'nobody', freezer: 'nobody' })
  expect(rightsOf(launch, wallet)).toEqual({ minter: 'launch', freezer: wallet })
  expect(rightsOf(wallet, launch)).toEqual({ minter: wallet, freezer: 'launch' })
  // Extensions may give others more rights.
  expect(readRights(new Uint8Array(200), launch)).toBe(undefined)
})

test('tokens that wait after the sale are said with how long they wait', () => {
  const startOf = (timeOffset: bigint) => {
    const ClaimStart = { kind: 'TimeRelative', bucket: at('sale'), bucketTime: 'DepositEnd', timeOffset }
    const account = { baseTokenAllocation: 1n, conditions: { ClaimStart }, recipient: at('wallet') }
    return describeTerms([{ kind: 'unlockedV2', address: at('team'), account: account as never }], 1n)
      .tokens[0]?.text
  }
  expect(startOf(30n * DAY)).toBe('to a wallet, 1 month after the sale is over')
  expect(startOf(0n)).toBe('to a wallet, once the sale is over')
})

test('a curve’s terms have its fees, and who the first buy is reserved for until it has happened', () => {
  const termsOf = (firstBuyDone: boolean) => {
    const account = {
      ...{ baseTokenAllocation: 1n, conditions: {}, depositFeeType: 0, depositFee: 100n },
      ...{ withdrawFeeType: 0, withdrawFee: 100n },
      extensions: {
        creatorFee: { feeType: 0, fee: 50n },
        firstBuy: { buyer: at('buyer'), amount: 7n },
        firstBuyDone,
      },
    }
    return describeTerms([{ kind: 'bondingCurveV2', address: at('curve'), account: account as never }], 1n)
  }
  expect(termsOf(false)).toMatchObject({
    fees: [
      { share: 0.015, text: 'of each purchase', on: 'paying' },
      { share: 0.015, text: 'of each sale', on: 'leaving' },
    ],
    creatorFee: 0.005,
    firstBuy: { buyer: 'buyer', amount: '7' },
  })
  expect(termsOf(true)).not.toHaveProperty('firstBuy')
})

const DAY_S = 86_400
const START = 1_790_000_000
const schedule = {
  start: { kind: 'TimeAbsolute', time: BigInt(START) },
  cliff: { kind: 'TimeAbsolute', time: BigInt(START + 5 * DAY_S) },
  duration: BigInt(100 * DAY_S),
  period: BigInt(10 * DAY_S),
  cliffAmountBps: 1_000,
} as const
const timeOf = (condition: object) => ('time' in condition ? Number(condition.time) : undefined)

test('a payout is said with its first part, its end, and how much has been paid out by now', () => {
  const payout = describePayout(schedule, timeOf)
  expect(payout).toMatchObject({
    firstShare: 0.1,
    firstAt: new Date((START + 5 * DAY_S) * 1_000).toISOString(),
    endsAt: new Date((START + 100 * DAY_S) * 1_000).toISOString(),
  })
  const shareAfter = (days: number) => payout?.shareAt((START + days * DAY_S) * 1_000)
  // A day before it starts, before and at its first part, during the second period, and after its end.
  expect([-1, 4, 5, 15, 200].map(shareAfter)).toEqual([0, 0, 0.1, 0.19, 1])
})

test('what is never paid out has no payout, and unknown times are left out', () => {
  const never = { ...schedule, start: { kind: 'Never' } } as const
  expect(describePayout(never, timeOf)).toBeUndefined()
  const unknown = describePayout(schedule, () => undefined)
  expect([unknown?.firstAt, unknown?.endsAt, unknown?.shareAt(Date.now())]).toEqual([undefined, undefined, 0])
})

test('an absurd schedule is said too', () => {
  const absurd = describePayout({ ...schedule, duration: 2n ** 64n - 1n, period: 0n }, timeOf)
  expect(absurd?.endsAt).toBe('9999-12-31T23:59:59.000Z')
  expect(absurd?.shareAt((START + 10 * DAY_S) * 1_000)).toBeLessThan(0.11)
})

const [PLANNED, RECORDED] = ['2026-03-01T10:00:00.000Z', '2026-03-02T12:00:00.000Z']

test('a sale ended when its terms say, even if the chain took note of it later', () => {
  const nowMs = Date.parse('2026-03-03T00:00:00.000Z')
  expect(saleEndOf(RECORDED, PLANNED, nowMs)).toBe(PLANNED)
  expect(saleEndOf(RECORDED, undefined, nowMs)).toBe(RECORDED)
  // It was ended early.
  expect(saleEndOf(PLANNED, RECORDED, nowMs)).toBe(PLANNED)
  // What is to come is the API's to say.
  expect(saleEndOf(RECORDED, PLANNED, Date.parse('2026-03-02T00:00:00.000Z'))).toBe(RECORDED)
})
