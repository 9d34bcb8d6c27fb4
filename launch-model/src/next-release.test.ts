import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReleaseSchedule } from './kinds/bucket-parts.ts'
import { nextRelease } from './next-release.ts'
import { releasedOf } from './releases.ts'

const at = (time: bigint, recorded?: bigint) => ({
  kind: 'TimeAbsolute' as const,
  time,
  ...(recorded !== undefined && { triggeredTimestamp: recorded }),
})
const WHOLE = 200_000_001_071_428n
const schedule = (more: Partial<ReleaseSchedule> = {}): ReleaseSchedule => ({
  start: at(2_000n, 2_060n),
  cliff: at(2_000n, 2_060n),
  cliffAmountBps: 1_000,
  duration: 1_000n,
  period: 100n,
  ...more,
})

test('a schedule releases what the program of March 2026 released, to the unit', () => {
  const released = (given: ReleaseSchedule) =>
    [2_061n, 2_159n, 2_160n, 2_360n, 2_761n, 3_059n, 3_060n].map(now => releasedOf(given, WHOLE, now))
  expect(released(schedule())).toEqual([
    20_000_000_107_142n,
    20_000_000_107_142n,
    38_000_000_203_571n,
    74_000_000_396_428n,
    146_000_000_782_143n,
    182_000_000_975_000n,
    WHOLE,
  ])
  // If the cliff has not been recorded, only the rest is released.
  expect(released(schedule({ cliff: at(2_500n), cliffAmountBps: 3_333, period: 300n })).slice(2, 5)).toEqual([
    0n,
    40_002_000_214_297n,
    80_004_000_428_594n,
  ])
  expect(releasedOf(schedule({ start: at(2_000n), cliff: at(2_000n) }), WHOLE, 9_999n)).toBe(0n)
  expect(releasedOf(undefined, WHOLE, 0n)).toBe(WHOLE)
})

test('nothing is released before the time that is announced, and something at that time', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 500n),
      fc.bigInt(1n, 20n),
      fc.bigInt(0n, 600n),
      fc.integer({ min: 0, max: 9_999 }),
      (duration, periods, elapsed, cliffAmountBps) => {
        const period = duration / periods || 1n
        const given = schedule({ duration, period, cliffAmountBps })
        const now = 2_060n + elapsed
        const next = nextRelease(given, now)
        const before = releasedOf(given, WHOLE, now)
        if (next === undefined) {
          expect(before).toBe(WHOLE)
          return
        }
        expect(releasedOf(given, WHOLE, next - 1n)).toBe(before)
        expect(releasedOf(given, WHOLE, next)).toBeGreaterThan(before)
      },
    ),
  )
  expect(nextRelease(schedule({ start: at(2_000n), cliff: at(2_000n) }), 1_000n)).toBe(2_000n)
  expect(nextRelease(schedule({ start: at(2_000n), cliff: at(2_000n), cliffAmountBps: 0 }), 1_000n)).toBe(
    2_100n,
  )
  expect(nextRelease(schedule({ start: at(2_000n), cliff: at(2_000n) }), 2_000n)).toBeUndefined()
})
