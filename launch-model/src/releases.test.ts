import { expect, test } from 'vitest'
import { releasedOf } from './releases.ts'

const met = (triggeredTimestamp?: bigint) => ({
  kind: 'Never' as const,
  ...(triggeredTimestamp !== undefined && { triggeredTimestamp }),
})
const schedule = (start?: bigint, cliff?: bigint) => ({
  start: met(start),
  cliff: met(cliff),
  duration: 1_000n,
  period: 300n,
  cliffAmountBps: 1_000,
})

test('without a schedule, everything is released', () => {
  expect(releasedOf(undefined, 600n, 0n)).toBe(600n)
})

test('a schedule releases nothing until its conditions are recorded as met', () => {
  expect(releasedOf(schedule(), 600n, 10_000n)).toBe(0n)
  expect(releasedOf(schedule(undefined, 50n), 600n, 10_000n)).toBe(60n)
})

test('the rest is released after each full period, and completely at the end', () => {
  const at = (now: bigint) => releasedOf(schedule(100n, 100n), 600n, now)
  expect([100n, 399n, 400n, 699n, 700n, 1_099n, 1_100n, 9_999n].map(at)).toEqual([
    60n,
    60n,
    222n,
    222n,
    384n,
    546n,
    600n,
    600n,
  ])
})

test('gradual releases are rounded up, and the cliff is rounded down', () => {
  expect(releasedOf(schedule(100n, 100n), 19n, 100n)).toBe(1n)
  expect(releasedOf(schedule(100n, 100n), 19n, 400n)).toBe(1n + 6n)
})

test('a cliff that is never recorded keeps its part locked', () => {
  expect(releasedOf(schedule(100n), 600n, 9_999n)).toBe(540n)
})
