import { createHash } from 'node:crypto'
import { getProgramDerivedAddress, isOffCurveAddress } from '@solana/addresses'
import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressAt } from './base58.ts'
import { findProgramAddress, isOnCurve, isSquare } from './program-address.ts'

const program = fc.uint8Array({ minLength: 32, maxLength: 32 })
const seeds = fc.array(fc.uint8Array({ maxLength: 32 }), { maxLength: 15 })

test('the address and its bump are those of web3.js and kit', async () => {
  const bumps = new Set<number>()
  await fc.assert(
    fc.asyncProperty(program, seeds, async (programId, given) => {
      const [address, bump] = findProgramAddress(programId, given)
      bumps.add(bump)
      const [expected, expectedBump] = PublicKey.findProgramAddressSync(given, new PublicKey(programId))
      expect([addressAt(address), bump]).toEqual([expected.toBase58(), expectedBump])
      expect(await getProgramDerivedAddress({ programAddress: addressAt(programId), seeds: given })).toEqual([
        addressAt(address),
        bump,
      ])
    }),
    { numRuns: 60 },
  )
  // Otherwise only the first bump would have been tested.
  expect(bumps.size).toBeGreaterThan(3)
})

test('seeds that the chain refuses are refused', () => {
  const any = new Uint8Array(32)
  expect(() => findProgramAddress(any, [new Uint8Array(33)])).toThrow('too long')
  expect(() => findProgramAddress(any, Array(16).fill(any))).toThrow('too many')
})

const P = 2n ** 255n - 19n
const encode = (y: bigint, sign: 0 | 1): Uint8Array => {
  const bytes = Uint8Array.from({ length: 32 }, (_, index) => Number((y >> BigInt(8 * index)) & 255n))
  bytes[31] = (bytes[31] as number) | (sign << 7)
  return bytes
}

test('any 32 bytes are on the curve exactly when web3.js and kit say so', () => {
  const both = new Set<boolean>()
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), bytes => {
      const expected = PublicKey.isOnCurve(bytes)
      both.add(expected)
      expect(isOnCurve(bytes)).toBe(expected)
      expect(isOffCurveAddress(addressAt(bytes))).toBe(!expected)
    }),
    { numRuns: 200 },
  )
  expect(both.size).toBe(2)
})

test('hashes, such as derived addresses, are on the curve exactly when web3.js says so', () => {
  for (let index = 0; index < 400; index++) {
    const bytes = createHash('sha256').update(`${index}`).digest()
    expect(isOnCurve(bytes)).toBe(PublicKey.isOnCurve(bytes))
  }
})

test('small and large numbers and powers of two, with either sign, agree with web3.js', () => {
  const powers = Array.from({ length: 255 }, (_, power) => 2n ** BigInt(power))
  const small = Array.from({ length: 200 }, (_, value) => BigInt(value))
  const ys = [...small, ...small.map(value => P - 1n - value), ...powers, ...powers.map(power => P - power)]
  for (const y of ys) {
    for (const sign of [0, 1] as const) {
      const bytes = encode(y, sign)
      expect([y, sign, isOnCurve(bytes)]).toEqual([y, sign, PublicKey.isOnCurve(bytes)])
    }
  }
})

test('a point with x = 0 has only one valid sign', () => {
  for (const y of [1n, P - 1n]) {
    expect(isOnCurve(encode(y, 0))).toBe(true)
    expect(isOnCurve(encode(y, 1))).toBe(false)
  }
})

test('a y of at least the prime is off the curve, as in web3.js', () => {
  for (let y = P; y < 2n ** 255n; y++) {
    for (const sign of [0, 1] as const) {
      expect(isOnCurve(encode(y, sign))).toBe(false)
      expect(PublicKey.isOnCurve(encode(y, sign))).toBe(false)
    }
  }
})

test('squares modulo the prime are recognised, even if a subtraction leaves many zero bits or a negative number', () => {
  const power = (base: bigint, exponent: bigint): bigint => {
    if (exponent === 0n) return 1n
    const half = power((base * base) % P, exponent >> 1n)
    return (exponent & 1n) === 1n ? (half * base) % P : half
  }
  // Hashes practically never reach these cases: differences with a whole limb of zeros, at once or after some steps.
  const factor = fc.bigInt({ min: 1n, max: 2n ** 120n })
  const ratio = fc.bigInt({ min: 1n, max: 1_000n })
  const value = fc.oneof(
    fc.bigInt({ min: 1n, max: P - 1n }),
    fc.tuple(factor, fc.bigInt({ min: 1n, max: 130n })).map(([m, k]) => P - ((m << k) % P)),
    fc.tuple(factor, fc.bigInt({ min: 1n, max: 130n })).map(([m, k]) => (m << k) % P),
    fc.tuple(factor, fc.bigInt({ min: 28n, max: 130n })).map(([m, k]) => (P + (m << k)) / 3n),
    // Close to a fraction of the prime, so that their highest bits are the same.
    fc.tuple(ratio, ratio, factor).map(([above, below, m]) => (P * above) / below + m),
  )
  const seen = new Set<boolean>()
  fc.assert(
    fc.property(
      value.filter(number => number > 0n && number < P),
      number => {
        const expected = power(number, (P - 1n) / 2n) === 1n
        seen.add(expected)
        expect(isSquare(number)).toBe(expected)
      },
    ),
    { numRuns: 400 },
  )
  expect(seen.size).toBe(2)
})
