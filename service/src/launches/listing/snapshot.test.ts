import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Snapshot } from '../../endpoint/representation.ts'
import { addBrotli } from './snapshot.ts'

const PARTS = [1, 700_000, 300_000].map((length, at) => Buffer.alloc(length, `part ${at}`))

const snapshotOf = (parts: Buffer[]): Snapshot => ({
  identity: { encoding: 'identity', etag: '"tag"', parts, length: Buffer.concat(parts).length },
})

test('brotli is of all the parts in a row', async () => {
  const snapshot = snapshotOf(PARTS)
  await addBrotli(snapshot, () => true)
  expect(snapshot.br).toMatchObject({ encoding: 'br', etag: '"tag-br"' })
  expect(brotliDecompressSync(snapshot.br?.parts[0] as Buffer).equals(Buffer.concat(PARTS))).toBe(true)
})

test('brotli that is interrupted is none', async () => {
  for (const looks of [0, 1, 3]) {
    let left = looks
    const snapshot = snapshotOf(PARTS)
    await addBrotli(snapshot, () => {
      left -= 1
      return left >= 0
    })
    expect(snapshot.br).toBeUndefined()
  }
})

test('a fault while compressing reaches whoever asked', async () => {
  const snapshot = snapshotOf(PARTS)
  const fault = () => {
    throw new Error('out of memory')
  }
  await expect(addBrotli(snapshot, fault)).rejects.toThrow('out of memory')
})
