import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gatherPieces, joinNeighbours } from './pieces.ts'

const KB = 1024

test('the bytes are the same, whatever the pieces', () => {
  const memory = Buffer.allocUnsafeSlow(200 * KB).fill('slipway')
  const cut = fc
    .tuple(fc.nat(150 * KB), fc.nat(50 * KB))
    .map(([at, length]) => memory.subarray(at, at + length))
  fc.assert(
    fc.property(fc.array(cut), pieces => {
      const whole = Buffer.concat(pieces)
      expect(Buffer.concat(gatherPieces(pieces)).equals(whole)).toBe(true)
      expect(Buffer.concat(joinNeighbours(pieces)).equals(whole)).toBe(true)
    }),
  )
})

test('what lies one after the other is one piece, and is not copied', () => {
  const memory = Buffer.allocUnsafeSlow(90 * KB)
  const [first, second, apart] = [
    memory.subarray(0, 40 * KB),
    memory.subarray(40 * KB, 80 * KB),
    memory.subarray(81 * KB),
  ]
  const joined = joinNeighbours([first, second, apart])
  expect(
    joined.map(({ buffer, byteOffset, length }) => [buffer === memory.buffer, byteOffset, length]),
  ).toEqual([
    [true, 0, 80 * KB],
    [true, 81 * KB, 9 * KB],
  ])
})

test('small pieces are copied together up to 16 KB, larger ones are left where they are', () => {
  const of = (kilobytes: number) => Buffer.allocUnsafeSlow(kilobytes * KB)
  const large = of(17)
  const gathered = gatherPieces([of(1), of(2), large, of(10), of(6), of(1)])
  expect(gathered.map(({ length }) => length / KB)).toEqual([3, 17, 16, 1])
  expect(gathered[1]).toBe(large)
})
