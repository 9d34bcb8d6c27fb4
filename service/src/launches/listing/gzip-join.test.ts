import { crc32, deflateRawSync, gunzipSync, constants as zlib } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { combineCrc32, joinGzip, storedBlock } from './gzip-join.ts'

test('the checksum of two pieces equals that of their concatenation', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5_000 }), fc.uint8Array({ maxLength: 5_000 }), (a, b) => {
      expect(combineCrc32(crc32(a), crc32(b), b.length)).toBe(crc32(Buffer.concat([a, b])))
    }),
  )
})

test('a piece of any length combines: beyond 2^29 bytes the exponent no longer fits 32 bits', () => {
  // crc of n zero bytes can be combined from halves in two ways, which must agree.
  const half = combineCrc32(crc32(Buffer.from('a')), 0, 2 ** 30)
  const quarterTwice = combineCrc32(combineCrc32(crc32(Buffer.from('a')), 0, 2 ** 29), 0, 2 ** 29)
  expect(half).toBe(quarterTwice)
})

test('joined pieces are one gzip member that holds all of them', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 2_000 }), { maxLength: 20 }), contents => {
      const pieces = contents.map((content, at) => ({
        blocks:
          at % 2 === 0
            ? [storedBlock(Buffer.from(content))]
            : [deflateRawSync(content, { finishFlush: zlib.Z_FULL_FLUSH })],
        crc: crc32(content),
        length: content.length,
      }))
      const joined = Buffer.concat(joinGzip(pieces))
      expect(gunzipSync(joined)).toEqual(Buffer.concat(contents))
    }),
  )
})
