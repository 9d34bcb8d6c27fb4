import { getAddressDecoder, getAddressEncoder, getBase58Decoder, isAddress } from '@solana/kit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressAt, addressBytes, decodeBase58Start, writeAddress } from './base58.ts'

const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
/** Leading zeros are a common mistake of base58 codecs. */
const zeroed = fc.tuple(fc.nat(32), key).map(([zeros, bytes]) => bytes.fill(0, 0, zeros))
const encoder = getAddressEncoder()
const decoder = getAddressDecoder()

test('32 bytes are encoded and decoded as the official codec does', () => {
  fc.assert(
    fc.property(fc.oneof(key, zeroed), bytes => {
      const address = decoder.decode(bytes)
      expect(addressAt(bytes)).toBe(address)
      expect(addressBytes(address)).toEqual(new Uint8Array(encoder.encode(address)))
    }),
    { numRuns: 400 },
  )
})

test('an address is never taken for one that differs in a single byte', () => {
  const zeros = new Uint8Array(32)
  const keys = Array.from(zeros, (_, index) => [zeros, zeros.with(index, 1)]).flat()
  for (const bytes of [...keys, ...keys]) expect(addressAt(bytes)).toBe(decoder.decode(bytes))
})

test.each([0, 1, 57, 58, 127, 128, 255])('32 bytes of %i are encoded and decoded', value => {
  const bytes = new Uint8Array(32).fill(value)
  expect(addressAt(bytes)).toBe(decoder.decode(bytes))
  expect(addressBytes(addressAt(bytes))).toEqual(bytes)
})

test('a text is refused exactly when the official codec refuses it', () => {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...alphabet), minLength: 30, maxLength: 46 }),
    fc.string({ unit: fc.constantFrom(...alphabet, '0', 'O', 'l', 'é', '\0'), minLength: 30, maxLength: 46 }),
    fc.tuple(fc.nat(34), key).map(([ones, bytes]) => '1'.repeat(ones) + decoder.decode(bytes)),
    fc.string(),
  )
  fc.assert(
    fc.property(text, value => {
      let accepted = true
      try {
        addressBytes(value)
      } catch {
        accepted = false
      }
      expect(accepted).toBe(isAddress(value))
    }),
    { numRuns: 1_500 },
  )
})

test('the largest address is accepted, and the next number is refused', () => {
  const last = 'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG'
  expect(addressBytes(last)).toEqual(new Uint8Array(32).fill(255))
  expect(() => addressBytes(last.replace(/G$/, 'H'))).toThrow('not an address')
})

test('an address inside a larger buffer is read and written at its offset', () => {
  const bytes = Uint8Array.from({ length: 100 }, (_, index) => index * 7)
  const address = addressAt(bytes, 31)
  expect(address).toBe(decoder.decode(bytes.subarray(31, 63)))
  const target = new Uint8Array(100)
  writeAddress(address, target, 31)
  expect(target.subarray(31, 63)).toEqual(bytes.subarray(31, 63))
  expect([...target.subarray(0, 31), ...target.subarray(63)].every(byte => byte === 0)).toBe(true)
  expect(() => addressAt(bytes, 69)).toThrow('32 bytes')
})

test('the first bytes of a long text are those of the official codec', () => {
  const base58 = getBase58Decoder()
  const data = fc.tuple(fc.nat(10), fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.nat(300))
  fc.assert(
    fc.property(data, ([zeros, random, zerosAfter]) => {
      const bytes = Uint8Array.of(...new Uint8Array(zeros), ...random, ...new Uint8Array(zerosAfter))
      const found = decodeBase58Start(base58.decode(bytes), 64)
      expect(found).toEqual(bytes.slice(0, found.length))
      const isZero = (from: number, to: number) => bytes.subarray(from, to).every(byte => byte === 0)
      // Zeros are ambiguous: without the rest of the text, the number could also be smaller by one.
      if (found.length < Math.min(64, bytes.length)) expect(isZero(found.length + 1, 90)).toBe(true)
    }),
  )
})

test('the first bytes of a text of 10 KiB cost little', () => {
  const text = 'z'.repeat(14_000)
  const before = process.cpuUsage()
  for (let times = 0; times < 60; times++) expect(decodeBase58Start(text, 64)).toHaveLength(64)
  const { user, system } = process.cpuUsage(before)
  // Decoding the whole text once takes longer than this.
  expect((user + system) / 1_000).toBeLessThan(100)
})
