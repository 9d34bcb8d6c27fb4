import { type LaunchPosition, SlipwayError } from '@slipway/client'
import { type Action, REFUSALS, type Refusal } from '@slipway/launch-model/actions'
import { expect, test } from 'vitest'
import type { Figures } from '../../../lib/launches.ts'
import { type Circumstances, findOffer } from './offer.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00.000Z')
const [EARLIER, LATER] = ['2026-03-01T10:00:00.000Z', '2026-03-01T14:00:00.000Z']
const NOTHING = {
  ...{ balance: '0', deposited: '0', claimed: '0', entitled: '0' },
  ...{ claimable: '0', refundable: '0', proceeds: '0' },
}

const offerOf = (mechanic: string, endTime: string, more: Partial<Circumstances> = {}) =>
  findOffer({
    data: { launch: { mechanic, endTime, startTime: EARLIER, graduatedAt: null } } as never,
    status: 'live',
    figures: { raised: '5', goal: '5' } as Figures,
    hasWallet: more.position !== undefined,
    position: undefined,
    refused: undefined,
    hasPool: true,
    becomesPool: true,
    nowMs: NOW_MS,
    ...more,
  })

/** What a phone offers in a launch of this kind. */
const mainOf = (...launch: Parameters<typeof offerOf>) => offerOf(...launch).main

const positionOf = (more: object, refusals: Partial<Record<Action, Refusal>> = {}) =>
  ({
    ...NOTHING,
    ...more,
    actions: (['sell', 'deposit', 'withdraw', 'claim', 'buy'] as const).map(action => {
      const refusal = refusals[action]
      return { action, available: refusal === undefined, reason: refusal ? REFUSALS[refusal] : null }
    }),
  }) as unknown as LaunchPosition

const refusedWith = (code: string) => ({ refused: new SlipwayError('', { status: 409, code } as never) })
const SOLD_OUT = refusedWith('SOLD_OUT')
const CLOSED = { deposit: 'DEPOSITS_ENDED', claim: 'NOTHING_TO_CLAIM' } as const

test('a launch that is open offers what it is for, and one that opens later offers nothing', () => {
  expect(mainOf('bondingCurveV2', LATER)).toBe('trade')
  expect(mainOf('launchpoolV2', LATER)).toBe('deposit')
  expect(mainOf('launchpoolV2', LATER, { status: 'upcoming' })).toBeUndefined()
})

test('what the launch owes a wallet comes first', () => {
  const refund = positionOf({ refundable: '3' }, CLOSED)
  expect(
    mainOf('launchpoolV2', EARLIER, { position: refund, figures: { raised: '1', goal: '5' } as Figures }),
  ).toBe('claim')
  const graduated = { status: 'graduated', position: positionOf({ claimable: '12' }) } as const
  expect(mainOf('presaleV2', EARLIER, graduated)).toBe('claim')
})

test('a sale that is over offers graduation, or else nothing but a wallet to see what it owes', () => {
  expect(mainOf('launchpoolV2', EARLIER)).toBe('connect')
  expect(mainOf('launchpoolV2', EARLIER, { hasWallet: true })).toBe('graduate')
  expect(mainOf('bondingCurveV2', LATER, SOLD_OUT)).toBe('graduate')
  const withoutPool = { becomesPool: false }
  expect(mainOf('launchpoolV2', EARLIER, withoutPool)).toBe('connect')
  expect(mainOf('bondingCurveV2', LATER, { ...withoutPool, ...SOLD_OUT })).toBeUndefined()
  expect(mainOf('launchpoolV2', EARLIER, { position: positionOf({}, CLOSED) })).toBeUndefined()
  expect(mainOf('launchpoolV2', EARLIER, { position: positionOf({ claimed: '1' }, CLOSED) })).toBe('position')
  expect(mainOf('presaleV2', EARLIER, { status: 'graduated', hasPool: false })).toBe('connect')
  expect(mainOf('presaleV2', EARLIER, { status: 'graduated', hasPool: undefined })).toBeUndefined()
})

test('while nobody can buy or deposit, those who hold something can still sell or withdraw', () => {
  expect(mainOf('bondingCurveV2', LATER, refusedWith('FIRST_BUY_OPEN'))).toBeUndefined()
  const reserved = { claim: 'NOTHING_TO_CLAIM', buy: 'FIRST_BUY_OPEN' } as const
  expect(mainOf('bondingCurveV2', LATER, { position: positionOf({ balance: '1' }, reserved) })).toBe('sell')
  const listed = { claim: 'NOTHING_TO_CLAIM', deposit: 'ALLOW_LIST_ONLY' } as const
  expect(mainOf('launchpoolV2', LATER, { position: positionOf({ deposited: '1' }, listed) })).toBe('withdraw')
})

test('a launch that is not open, or has nothing left, takes no payments', () => {
  const standstillOf = (mechanic: string, status: Circumstances['status'], progress: number | null = null) =>
    offerOf(mechanic, LATER, { status, figures: { progress, raised: '5', goal: '5' } as Figures }).standstill
  expect(standstillOf('launchpoolV2', 'upcoming')).toBe(REFUSALS.DEPOSITS_NOT_STARTED)
  expect(standstillOf('bondingCurveV2', 'upcoming')).toBe(REFUSALS.TRADING_NOT_STARTED)
  expect(standstillOf('bondingCurveV2', 'live', 1)).toBe(REFUSALS.SOLD_OUT)
  expect(standstillOf('presaleV2', 'live', 1)).toBe(REFUSALS.CAP_REACHED)
  // A pool beyond its goal, a curve with tokens left and a graduated launch take payments.
  expect(standstillOf('launchpoolV2', 'live', 1)).toBeUndefined()
  expect(standstillOf('bondingCurveV2', 'live', 0.999_999)).toBeUndefined()
  expect(standstillOf('bondingCurveV2', 'graduated', 1)).toBeUndefined()
})

test('what the service says about a wallet goes before what it says about an order, and a refusal that depends on the amount is no standstill', () => {
  const standstillOf = (more: Partial<Circumstances>) => offerOf('bondingCurveV2', LATER, more).standstill
  expect(standstillOf(refusedWith('FIRST_BUY_OPEN'))).toBe(REFUSALS.FIRST_BUY_OPEN)
  expect(standstillOf(refusedWith('POOL_TOO_SMALL'))).toBeUndefined()
  expect(standstillOf(refusedWith('INSUFFICIENT_FUNDS'))).toBeUndefined()
  expect(standstillOf({ refused: new Error('SOLD_OUT') })).toBeUndefined()
  expect(standstillOf({ ...refusedWith('FIRST_BUY_OPEN'), position: positionOf({}) })).toBeUndefined()
  expect(standstillOf({ position: positionOf({}, { buy: 'FIRST_BUY_OPEN' }) })).toBe(REFUSALS.FIRST_BUY_OPEN)
  const actions = [{ action: 'deposit', available: false, reason: 'Wait 5 min before the next deposit' }]
  const position = { ...positionOf({}), actions } as LaunchPosition
  expect(offerOf('launchpoolV2', LATER, { position }).standstill).toBeUndefined()
})
