import { expect, test } from 'vitest'
import type { TransactionState } from './action.ts'
import { describeSending } from './outcome.tsx'

test.each([
  [true, 'signed', false],
  [true, 'sent', true],
  [false, 'signed', false],
  [false, 'sent', true],
  [true, 'confirmed signed', false],
  [true, 'confirmed sent', true],
  [true, 'sent ready', false],
] as const)(
  'the page may be left only when everything is sent (reachable: %s, %s)',
  (isReachable, states, mayLeave) => {
    const rows = states.split(' ').map(state => ({ state: state as TransactionState, review: {} as never }))
    expect(describeSending({ rows, isReachable }).includes('leave this page')).toBe(mayLeave)
  },
)
