import { expect, test } from 'vitest'
import { decodeRent } from './rent.ts'

/** The sysvar: the rate, the threshold, and the part that is burnt. */
function sysvar(rate: bigint, threshold: number): Uint8Array {
  const data = new Uint8Array(17)
  const view = new DataView(data.buffer)
  view.setBigUint64(0, rate, true)
  view.setFloat64(8, threshold, true)
  data[16] = 50
  return data
}

test.each([
  ['by the year, as it was until 2026', 3_480n, 2, 6_960n],
  ['by the byte, with the threshold folded in', 5_080n, 1, 5_080n],
  ['by the byte, with a threshold of 0', 5_080n, 0, 5_080n],
  ['by the byte, with a threshold that is no number', 696n, Number.NaN, 696n],
  ['by the byte, with a threshold that is huge', 696n, 1e300, 696n],
])('rent that is charged %s is read', (_, rate, threshold, perByte) => {
  const rent = decodeRent(sysvar(rate, threshold))
  expect(rent(0)).toBe(128n * perByte)
  expect(rent(165)).toBe(293n * perByte)
})

test.each([
  ['nothing', sysvar(0n, 1)],
  ['more than it ever was', sysvar(6_961n, 1)],
  ['more than it ever was, by the year', sysvar(3_481n, 2)],
  ['the highest number', sysvar(2n ** 64n - 1n, 0)],
  ['too little to read', new Uint8Array(15)],
])('a sysvar that says %s is refused', (_, data) => {
  expect(() => decodeRent(data)).toThrow(RangeError)
})
