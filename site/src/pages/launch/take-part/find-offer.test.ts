import type { LaunchPosition } from '@slipway/client'
import { type Action, REFUSALS, type Refusal } from '@slipway/launch-model/actions'
import { expect, test } from 'vitest'
import type { Figures } from '../../../lib/launches.ts'
import { type Circumstances, findOffer } from './find-offer.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00.000Z')
const [EARLIER, LATER] = ['2026-03-01T10:00:00.000Z', '2026-03-01T14:00:00.000Z']
const NOTHING = {
  ...{ balance: '0', deposited: '0', claimed: '0', entitled: '0' },
  ...{ claimable: '0', refundable: '0', proceeds: '0' },
}

/** What a phone offers in a launch of this kind. */
const mainOf = (mechanic: string, endTime: string, more: Partial<Circumstances> = {}) =>
  findOffer({
    data: { launch: { mechanic, endTime, startTime: EARLIER, graduatedAt: null } } as never,
    status: 'live',
    figures: { raised: '5', goal: '5' } as Figures,
    hasWallet: more.position !== undefined,
    position: undefined,
    standstill: undefined,
    hasPool: true,
    becomesPool: true,
    nowMs: NOW_MS,
    ...more,
  }).main

const positionOf = (more: object, refusals: Partial<Record<Action, Refusal>> = {}) =>
  ({
    ...NOTHING,
    ...more,
    actions: (['sell', 'deposit', 'withdraw', 'claim', 'buy'] as const).map(action => {
      const refusal = refusals[action]
      return { action, available: refusal === undefined, reason: refusal ? REFUSALS[refusal] : null }
    }),
  }) as unknown as LaunchPosition

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
  expect(mainOf('bondingCurveV2', LATER, { standstill: 'SOLD_OUT' })).toBe('graduate')
  const withoutPool = { becomesPool: false }
  expect(mainOf('launchpoolV2', EARLIER, withoutPool)).toBe('connect')
  expect(mainOf('bondingCurveV2', LATER, { ...withoutPool, standstill: 'SOLD_OUT' })).toBeUndefined()
  expect(mainOf('launchpoolV2', EARLIER, { position: positionOf({}, CLOSED) })).toBeUndefined()
  expect(mainOf('launchpoolV2', EARLIER, { position: positionOf({ claimed: '1' }, CLOSED) })).toBe('position')
  expect(mainOf('presaleV2', EARLIER, { status: 'graduated', hasPool: false })).toBe('connect')
  expect(mainOf('presaleV2', EARLIER, { status: 'graduated', hasPool: undefined })).toBeUndefined()
})

test('while nobody can buy or deposit, those who hold something can still sell or withdraw', () => {
  const reserved = { standstill: 'FIRST_BUY_OPEN' } as const
  expect(mainOf('bondingCurveV2', LATER, reserved)).toBeUndefined()
  const waiting = { claim: 'NOTHING_TO_CLAIM' } as const
  expect(
    mainOf('bondingCurveV2', LATER, { ...reserved, position: positionOf({ balance: '1' }, waiting) }),
  ).toBe('sell')
  const paused = { standstill: 'ALLOW_LIST_ONLY', position: positionOf({ deposited: '1' }, waiting) } as const
  expect(mainOf('launchpoolV2', LATER, paused)).toBe('withdraw')
})
