import { getProgramDerivedAddress } from '@solana/addresses'
import { PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addressAt } from './base58.ts'
import { findProgramAddress } from './program-address.ts'

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
    { numRuns: 300 },
  )
  // Otherwise only the first bump would have been tested.
  expect(bumps.size).toBeGreaterThan(3)
})

test('seeds that the chain refuses are refused', () => {
  const any = new Uint8Array(32)
  expect(() => findProgramAddress(any, [new Uint8Array(33)])).toThrow('too long')
  expect(() => findProgramAddress(any, Array(16).fill(any))).toThrow('too many')
})
