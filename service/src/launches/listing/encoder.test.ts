import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Snapshot } from '../../endpoint/endpoint.ts'
import { finishSnapshot } from './encoder.ts'

const PARTS = [1, 700_000, 300_000].map((length, at) => Buffer.alloc(length, `part ${at}`))

const snapshotOf = (parts: Buffer[]): Snapshot => ({
  identity: { encoding: 'identity', etag: '"tag"', parts, length: Buffer.concat(parts).length },
})

test('brotli holds all parts in order', async () => {
  const snapshot = snapshotOf(PARTS)
  await finishSnapshot(snapshot, () => true)
  expect(snapshot.br).toMatchObject({ encoding: 'br', etag: '"tag-br"' })
  expect(brotliDecompressSync(snapshot.br?.parts[0] as Buffer).equals(Buffer.concat(PARTS))).toBe(true)
})

test('a finished listing is one buffer', async () => {
  const half = Buffer.alloc(1024 * 1024, 'launch')
  const fits = snapshotOf([half, half])
  await finishSnapshot(fits, () => true)
  expect(fits.identity).toMatchObject({ etag: '"tag"', length: 2 * half.length })
  expect(fits.identity.parts.map(({ length }) => length)).toEqual([2 * half.length])
  expect(fits.identity.parts[0]?.equals(Buffer.concat([half, half]))).toBe(true)
})

test('an interrupted brotli stream is discarded', async () => {
  for (const idleChecks of [0, 1, 3]) {
    let left = idleChecks
    const snapshot = snapshotOf(PARTS)
    await finishSnapshot(snapshot, () => {
      left -= 1
      return left >= 0
    })
    expect(snapshot.br).toBeUndefined()
    expect(snapshot.identity.parts).toEqual(PARTS)
  }
})

test('a compression error rejects', async () => {
  const snapshot = snapshotOf(PARTS)
  const fail = () => {
    throw new Error('out of memory')
  }
  await expect(finishSnapshot(snapshot, fail)).rejects.toThrow('out of memory')
})
