import { SlipwayError } from '@slipway/client'
import { REFUSALS } from '@slipway/launch-model/actions'
import { expect, test } from 'vitest'
import { findStandstill, standstillOfError, standstillOfPosition } from './find-standstill.ts'
import type { TakePartProps } from './taking.ts'

const find = (mechanic: string, status: TakePartProps['status'], progress: number | null = null) =>
  findStandstill({ data: { launch: { mechanic } }, status, figures: { progress } } as TakePartProps)

test('a launch that is not open, or has nothing left, takes no payments', () => {
  expect(find('launchpoolV2', 'upcoming')).toBe('DEPOSITS_NOT_STARTED')
  expect(find('bondingCurveV2', 'upcoming')).toBe('TRADING_NOT_STARTED')
  expect(find('bondingCurveV2', 'live', 1)).toBe('SOLD_OUT')
  expect(find('presaleV2', 'live', 1)).toBe('CAP_REACHED')
})

test('a pool beyond its goal, a curve with tokens left and a graduated launch take payments', () => {
  expect(find('launchpoolV2', 'live', 1)).toBeUndefined()
  expect(find('bondingCurveV2', 'live', 0.999_999)).toBeUndefined()
  expect(find('bondingCurveV2', 'graduated', 1)).toBeUndefined()
})

test('a refusal that depends on the amount is not a standstill', () => {
  const refused = (code: string) => standstillOfError(new SlipwayError('', { status: 409, code } as never))
  expect(refused('FIRST_BUY_OPEN')).toBe('FIRST_BUY_OPEN')
  expect(refused('POOL_TOO_SMALL')).toBeUndefined()
  expect(standstillOfError(new Error('SOLD_OUT'))).toBeUndefined()
})

test('a reserved first buy keeps a wallet from buying; a pause between deposits is no standstill', () => {
  const actions = [
    { action: 'buy', available: false, reason: REFUSALS.FIRST_BUY_OPEN },
    { action: 'deposit', available: false, reason: REFUSALS.COOLDOWN },
  ] as never
  expect(standstillOfPosition({ actions }, 'buy')).toBe('FIRST_BUY_OPEN')
  expect(standstillOfPosition({ actions }, 'deposit')).toBeUndefined()
})
