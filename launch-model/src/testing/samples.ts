import fc from 'fast-check'
import { addressAt } from '../bytes/base58.ts'

const keyBytes = fc.uint8Array({ minLength: 32, maxLength: 32 })
/** Never 32 zeros, which mean "no key" in many fields. */
export const anyAddress = keyBytes
  .filter(bytes => bytes.some(byte => byte !== 0))
  .map(bytes => addressAt(bytes))
export const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
export const i64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

/** Valid bytes; valid bytes that are cut, changed or extended; and random bytes. */
export function damaged(valid: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Uint8Array> {
  return fc.oneof(
    valid,
    fc
      .tuple(valid, fc.double({ min: 0, max: 1, noNaN: true }))
      .map(([data, part]) => data.slice(0, part * data.length)),
    fc
      .tuple(valid, fc.array(fc.tuple(fc.nat(5_000), fc.nat(255)), { minLength: 1, maxLength: 6 }))
      .map(([data, changes]) => {
        const copy = data.slice()
        for (const [at, byte] of changes) copy[at % copy.length] = byte
        return copy
      }),
    fc
      .tuple(valid, fc.uint8Array({ maxLength: 64 }))
      .map(([data, more]) => Uint8Array.from([...data, ...more])),
    fc.uint8Array({ maxLength: 300 }),
    fc
      .tuple(fc.nat(30), fc.uint8Array({ maxLength: 2_000 }))
      .map(([first, rest]) => Uint8Array.from([first, ...rest])),
  )
}

/** The result of an official deserializer, or undefined where it throws. */
export function accepted<T>(deserialize: () => T): { value: T } | undefined {
  try {
    return { value: deserialize() }
  } catch {
    return undefined
  }
}
