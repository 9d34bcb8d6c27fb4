import { createLinearBpsScheduleV2, createTimeAbsoluteCondition } from '@metaplex-foundation/genesis'
import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSchedule } from './schedules.ts'
import { toUnits } from './to-units.ts'

const bps = fc.integer({ min: 0, max: 10_000 })

test('a bonus or penalty is the schedule that the official client computes', () => {
  const line = fc
    .record({ point1TimeBps: bps, point1Bps: bps, point2TimeBps: bps, point2Bps: bps, maxBps: bps })
    .filter(({ point1TimeBps, point2TimeBps }) => point1TimeBps !== point2TimeBps)
  fc.assert(
    fc.property(line, fc.nat(), fc.integer({ min: 1, max: 10_000_000 }), (given, start, seconds) => {
      const ours = createSchedule(
        { enabled: true, ...given },
        {
          depositStartCondition: { type: 'TimeAbsolute', timestamp: start },
          depositEndCondition: { type: 'TimeAbsolute', timestamp: start + seconds },
        } as never,
        'any' as Address,
      )
      const { startCondition, reserved, ...official } = createLinearBpsScheduleV2(
        { timeBps: given.point1TimeBps, bps: given.point1Bps },
        { timeBps: given.point2TimeBps, bps: given.point2Bps },
        {
          startCondition: createTimeAbsoluteCondition(BigInt(start)),
          duration: BigInt(seconds),
          maxBps: given.maxBps,
        },
      )
      expect(ours).toEqual({ ...official, start: { kind: 'TimeAbsolute', time: BigInt(start) } })
    }),
  )
})

test.each<[tokens: number, decimals: number, units: bigint | undefined]>([
  [717948717.948717, 6, 717_948_717_948_717n],
  [282051282.051283, 6, 282_051_282_051_283n],
  // `toFixed` would give …716998.
  [717948717.948717, 9, 717_948_717_948_717_000n],
  [0.1 + 0.2, 9, 300_000_000n],
  [0.1 + 0.2, 0, 0n],
  [1e-7, 6, 0n],
  [6e-7, 6, 1n],
  [1e9, 9, 10n ** 18n],
  [18_446_744_073, 9, 18_446_744_073_000_000_000n],
  [18_446_744_074, 9, undefined],
  [1e21, 0, undefined],
  [Number.NaN, 6, undefined],
  [-1, 6, undefined],
  [1e-7, 255, undefined],
])('%d tokens with %d decimals are %d smallest units', (tokens, decimals, units) => {
  expect(toUnits(tokens, decimals)).toBe(units)
})

test('an amount of smallest units can be written and read back', () => {
  const raw = fc.bigInt({ min: 0n, max: 10n ** 15n })
  fc.assert(
    fc.property(raw, units => {
      // As the official SDK writes it.
      const tokens = Number(units / 1_000_000n) + Number(units % 1_000_000n) / 1e6
      expect(toUnits(tokens, 6)).toBe(units)
    }),
  )
})
