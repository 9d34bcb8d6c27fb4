import * as zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { zstdFrame } from './zstd-frame.ts'

// The reference implementation decodes the first three to an empty text, "h" and "hello".
test('frames match the Zstandard format byte for byte', () => {
  const hex = (text: string) => zstdFrame(Buffer.from(text)).toString('hex')
  expect(hex('')).toBe('28b52ffda000000000010000')
  expect(hex('h')).toBe('28b52ffda00100000009000068')
  expect(hex('hello')).toBe('28b52ffda00500000029000068656c6c6f')
  const large = zstdFrame(new Uint8Array(128 * 1024 + 1).fill(7))
  // Two blocks, of which only the second is marked as the last.
  expect(large.readUIntLE(9, 3)).toBe((128 * 1024) << 3)
  expect(large.readUIntLE(9 + 3 + 128 * 1024, 3)).toBe((1 << 3) | 1)
  expect(large).toHaveLength(9 + 3 + 128 * 1024 + 3 + 1)
})

const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (frame: Uint8Array) => Buffer }
test.skipIf(!zstdDecompressSync)("Node's own decompressor reads the frames", () => {
  for (const length of [0, 1, 255, 256, 128 * 1024, 300_000]) {
    const bytes = Buffer.alloc(length, 'slipway')
    expect(zstdDecompressSync?.(zstdFrame(bytes)).equals(bytes)).toBe(true)
  }
})
