import { expect, test } from 'vitest'
import { describePayout } from './payout.ts'

const DAY = 86_400
const START = 1_790_000_000
const schedule = {
  start: { kind: 'TimeAbsolute', time: BigInt(START) },
  cliff: { kind: 'TimeAbsolute', time: BigInt(START + 5 * DAY) },
  duration: BigInt(100 * DAY),
  period: BigInt(10 * DAY),
  cliffAmountBps: 1_000,
} as const
const timeOf = (condition: object) => ('time' in condition ? Number(condition.time) : undefined)

test('a payout is said with its first part, its end, and how much has been paid out by now', () => {
  const payout = describePayout(schedule, timeOf)
  expect(payout).toMatchObject({
    firstShare: 0.1,
    firstAt: new Date((START + 5 * DAY) * 1_000).toISOString(),
    endsAt: new Date((START + 100 * DAY) * 1_000).toISOString(),
  })
  const shareAfter = (days: number) => payout?.shareAt((START + days * DAY) * 1_000)
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
  expect(absurd?.shareAt((START + 10 * DAY) * 1_000)).toBeLessThan(0.11)
})
