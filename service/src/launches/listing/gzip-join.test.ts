import { crc32, deflateRawSync, gunzipSync, constants as zlib } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { combineCrc32, crc32Shift, joinGzip, storedBlock } from './gzip-join.ts'

const combine = (first: number, second: number, secondLength: number) =>
  combineCrc32(first, second, crc32Shift(secondLength))

test('the combined checksum of two parts equals that of their concatenation', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5_000 }), fc.uint8Array({ maxLength: 5_000 }), (a, b) => {
      expect(combine(crc32(a), crc32(b), b.length)).toBe(crc32(Buffer.concat([a, b])))
    }),
  )
})

test('checksums combine beyond 2^29 bytes, where the exponent no longer fits in 32 bits', () => {
  // Shifting by 2^30 bytes at once and by 2^29 twice must agree.
  const once = combine(crc32(Buffer.from('a')), 0, 2 ** 30)
  const twice = combine(combine(crc32(Buffer.from('a')), 0, 2 ** 29), 0, 2 ** 29)
  expect(once).toBe(twice)
})

test('joined parts form one gzip member with the content of all of them', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 2_000 }), { maxLength: 20 }), contents => {
      const parts = contents.map((content, at) => ({
        deflated:
          at % 2 === 0
            ? storedBlock(Buffer.from(content))
            : deflateRawSync(content, { finishFlush: zlib.Z_FULL_FLUSH }),
        crc: crc32(content),
        crcShift: crc32Shift(content.length),
        length: content.length,
      }))
      expect(gunzipSync(Buffer.concat(joinGzip(parts)))).toEqual(Buffer.concat(contents))
    }),
  )
})
