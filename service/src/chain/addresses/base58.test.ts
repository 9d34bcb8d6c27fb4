import { getAddressDecoder, getAddressEncoder, isAddress } from '@solana/addresses'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressAt, addressBytes, writeAddress } from './base58.ts'

const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
/** Zeros at the front are what base58 codecs get wrong. */
const zeroed = fc.tuple(fc.nat(32), key).map(([zeros, bytes]) => bytes.fill(0, 0, zeros))
const encoder = getAddressEncoder()
const decoder = getAddressDecoder()

test('32 bytes are written and read as the official codec does it', () => {
  fc.assert(
    fc.property(fc.oneof(key, zeroed), bytes => {
      const address = decoder.decode(bytes)
      expect(addressAt(bytes)).toBe(address)
      expect(addressBytes(address)).toEqual(new Uint8Array(encoder.encode(address)))
    }),
    { numRuns: 1_500 },
  )
})

test.each([0, 1, 57, 58, 127, 128, 255])('all bytes %i', value => {
  const bytes = new Uint8Array(32).fill(value)
  expect(addressAt(bytes)).toBe(decoder.decode(bytes))
  expect(addressBytes(addressAt(bytes))).toEqual(bytes)
})

test('what is no address is refused, and nothing else is', () => {
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
    { numRuns: 5_000 },
  )
})

test('the last address is accepted, the number after it is not', () => {
  const last = 'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG'
  expect(addressBytes(last)).toEqual(new Uint8Array(32).fill(255))
  expect(() => addressBytes(last.replace(/G$/, 'H'))).toThrow('not an address')
})

test('an address inside of other bytes is read and written in its place', () => {
  const bytes = Uint8Array.from({ length: 100 }, (_, index) => index * 7)
  const address = addressAt(bytes, 31)
  expect(address).toBe(decoder.decode(bytes.subarray(31, 63)))
  const target = new Uint8Array(100)
  writeAddress(address, target, 31)
  expect(target.subarray(31, 63)).toEqual(bytes.subarray(31, 63))
  expect([...target.subarray(0, 31), ...target.subarray(63)].every(byte => byte === 0)).toBe(true)
  expect(() => addressAt(bytes, 69)).toThrow('32 bytes')
})
