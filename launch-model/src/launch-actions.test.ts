import type { Address } from '@slipway/schema/address'
import { ERRORS } from '@slipway/schema/errors'
import { expect, test } from 'vitest'
import { type Action, REFUSALS, type Refusal } from './actions.ts'
import { type Bucket, decodeBucketData } from './bucket.ts'
import { addressAt } from './bytes/base58.ts'
import { decode, encode } from './bytes/codec.ts'
import type { Condition } from './conditions.ts'
import { kindOf } from './kinds/kinds.ts'
import { resolveRefusals } from './launch-actions.ts'
import { officialBuckets } from './testing/official-buckets.ts'

type Placed = Bucket & { address: Address }
const SALE = addressAt(new Uint8Array(32).fill(1))
const POOL = addressAt(new Uint8Array(32).fill(2))
const WALLET = addressAt(new Uint8Array(32).fill(3))
const START = 1_000
const END = 2_000
const CLAIMS = 3_000
const at = (time: number): Condition => ({ kind: 'TimeAbsolute', time: BigInt(time) })
const times = {
  DepositStart: at(START),
  DepositEnd: at(END),
  ClaimStart: at(CLAIMS),
  ClaimEnd: { kind: 'Never' },
}

/** A bucket without extensions, changed as given. It is encoded and decoded, like a bucket on a chain. */
function bucket(kind: Bucket['kind'], address: Address, changes: object): Placed {
  const { serializer, blank } = officialBuckets[kind]
  const { layout } = kindOf(kind)
  const plain = decode(layout, serializer.serialize(blank)) as unknown as { extensions: object }
  const { extensions, ...rest } = changes as { extensions?: object }
  const changed = { ...plain, ...rest, extensions: { ...plain.extensions, ...extensions } }
  return { ...(decodeBucketData(encode(layout, changed as never)) as Bucket), address }
}
const pool = (changes: object = {}) =>
  bucket('launchpoolV2', SALE, { baseTokenAllocation: 1_000n, conditions: times, ...changes })
const presale = (changes: object = {}) =>
  bucket('presaleV2', SALE, {
    baseTokenAllocation: 1_000n,
    allocationQuoteTokenCap: 500n,
    conditions: times,
    ...changes,
  })
const curve = (changes: object = {}) =>
  bucket('bondingCurveV2', SALE, {
    baseTokenAllocation: 1_000n,
    baseTokenBalance: 600n,
    conditions: { SwapStart: at(START), SwapEnd: { kind: 'Triggered' } },
    ...changes,
  })
const amm = (graduatedBaseTokenAmount = 0n) => bucket('raydiumCpmmV2', POOL, { graduatedBaseTokenAmount })
const deposit = { claimed: false, refunded: false }

function expectActions(
  buckets: Placed[],
  now: number,
  expected: Partial<Record<Action, Refusal | 'open'>>,
  who: Parameters<typeof resolveRefusals>[2] = {},
) {
  const refusals = resolveRefusals(buckets, now, who)
  for (const [action, reason] of Object.entries(expected))
    expect([action, refusals?.[action as Action] ?? 'open']).toEqual([action, reason])
}

test('a launch pool takes deposits from its start, inclusive, to its end, exclusive, and then pays claims', () => {
  const trades = { buy: 'TAKES_DEPOSITS', sell: 'TAKES_DEPOSITS' } as const
  expectActions([pool()], START - 1, { ...trades, deposit: 'DEPOSITS_NOT_STARTED' })
  expectActions([pool()], START, { deposit: 'open', claim: 'CLAIMS_NOT_STARTED', refund: 'NOT_ENDED' })
  expectActions([pool()], START, { withdraw: 'NOTHING_TO_WITHDRAW' })
  expectActions([pool()], END - 1, { deposit: 'open', withdraw: 'open' }, { deposit })
  expectActions([pool()], END, { deposit: 'DEPOSITS_ENDED', withdraw: 'WITHDRAWALS_ENDED' }, { deposit })
  expectActions([pool()], CLAIMS, { claim: 'NOTHING_TO_CLAIM', graduate: 'NO_POOL' })
  expectActions([pool()], CLAIMS, { claim: 'open', refund: 'NO_REFUND' }, { deposit })
  expectActions([pool()], CLAIMS, { claim: 'NOTHING_TO_CLAIM' }, { deposit: { ...deposit, claimed: true } })
})

test('a launch pool that misses its goal refunds, and neither pays claims nor graduates', () => {
  const missed = pool({ extensions: { minimumQuoteTokenThreshold: 10n }, quoteTokenDepositTotal: 9n })
  expectActions([missed, amm()], END, { refund: 'open', graduate: 'NO_POOL' }, { deposit })
  expectActions([missed], CLAIMS, { refund: 'open', claim: 'NOTHING_TO_CLAIM' }, { deposit })
  expectActions([missed], END, { refund: 'NO_REFUND' }, { deposit: { ...deposit, refunded: true } })
})

test('claims that have no time of their own wait for graduation', () => {
  const waiting = pool({
    conditions: {
      ...times,
      ClaimStart: { kind: 'TimeRelative', bucket: POOL, bucketTime: 'Graduate', timeOffset: 0n },
    },
  })
  expectActions([waiting, amm()], START, { claim: 'CLAIMS_NOT_STARTED', graduate: 'NOT_ENDED' }, { deposit })
  expectActions([waiting, amm()], END, { claim: 'NOT_GRADUATED', graduate: 'open' }, { deposit })
  const graduated = bucket('raydiumCpmmV2', POOL, {
    graduatedBaseTokenAmount: 5n,
    conditions: {
      GraduateStart: { kind: 'Always' },
      Graduate: { kind: 'Triggered', triggeredTimestamp: BigInt(END + 5) },
    },
  })
  expectActions(
    [waiting, graduated],
    END + 5,
    { claim: 'open', buy: 'open', graduate: 'GRADUATED' },
    { deposit },
  )
})

test('a presale takes deposits up to its cap, and pays none back', () => {
  expectActions([presale()], START, { deposit: 'open', withdraw: 'NO_WITHDRAWALS', refund: 'NO_REFUND' })
  expectActions([presale({ quoteTokenDepositTotal: 500n })], START, { deposit: 'CAP_REACHED' })
  expectActions([presale({ quoteTokenDepositTotal: 500n })], END, { deposit: 'DEPOSITS_ENDED' })
  expectActions([presale()], CLAIMS, { claim: 'open' }, { deposit })
})

test('a curve trades from its start until it is sold out, and then in its pool', () => {
  const trades = (reason: Refusal | 'open') => ({ buy: reason, sell: reason, deposit: 'TRADES' as const })
  expectActions([curve(), amm()], START - 1, trades('TRADING_NOT_STARTED'))
  expectActions([curve(), amm()], START, { ...trades('open'), graduate: 'NOT_ENDED' })
  const soldOut = curve({
    baseTokenBalance: 0n,
    conditions: { SwapStart: at(START), SwapEnd: { kind: 'Triggered', triggeredTimestamp: 1_500n } },
  })
  expectActions([soldOut, amm()], END, { ...trades('SOLD_OUT'), graduate: 'open' })
  expectActions([soldOut, amm(5n)], END, { ...trades('open'), graduate: 'GRADUATED' })
})

test('a curve with an end of its own stays open to sales when it is sold out', () => {
  const conditions = { SwapStart: at(START), SwapEnd: at(END) }
  expectActions([curve({ baseTokenBalance: 0n, conditions })], START, { buy: 'SOLD_OUT', sell: 'open' })
  expectActions([curve({ conditions })], END, { buy: 'TRADING_ENDED', sell: 'TRADING_ENDED' })
})

test('while a first buy is reserved, only its buyer can buy, and no one can sell', () => {
  const reserved = curve({ extensions: { firstBuy: { buyer: WALLET, amount: 5_000n } } })
  expectActions([reserved], START, { buy: 'FIRST_BUY_OPEN', sell: 'FIRST_BUY_OPEN' })
  expectActions([reserved], START, { buy: 'open', sell: 'FIRST_BUY_OPEN' }, { wallet: WALLET })
})

test('a bucket whose operator must sign allows nothing without the operator', () => {
  const extensions = { backendSigner: WALLET }
  expectActions([curve({ extensions })], START, { buy: 'NEEDS_OPERATOR', sell: 'NEEDS_OPERATOR' })
  expectActions([pool({ extensions })], START, { deposit: 'NEEDS_OPERATOR' }, { deposit })
  expectActions([presale({ extensions })], START, { deposit: 'NEEDS_OPERATOR' })
})

test('a reason has the text that the API answers with', () => {
  const shared = Object.keys(REFUSALS).filter(code => code in ERRORS) as (keyof typeof REFUSALS &
    keyof typeof ERRORS)[]
  expect(shared.length).toBeGreaterThan(8)
  for (const code of shared) expect([code, REFUSALS[code]]).toEqual([code, ERRORS[code].text])
})

test('a launch that sells nothing has no actions', () => {
  expect(resolveRefusals([amm()], START)).toBeUndefined()
})
