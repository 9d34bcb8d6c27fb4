import { expect, test } from 'vitest'
import { describeSlotTime, describeVersion, TESTED } from './drift.ts'

test('a slot time is reported only if it is out of the bounds', () => {
  for (const slotMs of [undefined, 20, 50, 400, 2_000]) expect(describeSlotTime(slotMs)).toBe(undefined)
  expect(describeSlotTime(12)).toMatch(/^slots take 12 ms, /)
  expect(describeSlotTime(2_600)).toMatch(/^slots take 2600 ms, /)
})

test('another feature set is reported only if the software is newer', () => {
  expect(describeVersion(TESTED.version, TESTED.featureSet)).toBe(undefined)
  for (const older of ['3.0.9', '2.3.14', '0.808.30014']) expect(describeVersion(older, 1)).toBe(undefined)
  for (const newer of ['3.0.11', '3.1.0', '4.0.1', '10.0.0'])
    expect(describeVersion(newer, 7)).toContain(`runs version ${newer} (feature set 7)`)
  expect(describeVersion('not a version', 7)).toBe(undefined)
})
