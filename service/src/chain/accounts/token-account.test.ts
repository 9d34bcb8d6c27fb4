import { getTokenAccountDataSerializer, TokenState } from '@metaplex-foundation/mpl-toolbox'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CORE_PROGRAM, SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../addresses/programs.ts'
import { accountOf, damaged, HERE } from './test-accounts.ts'
import { decodeTokenAccount } from './token-account.ts'

const holder = (state = TokenState.Initialized) =>
  getTokenAccountDataSerializer().serialize({
    mint: HERE,
    owner: CORE_PROGRAM,
    amount: 77n,
    delegate: null,
    state,
    isNative: null,
    delegatedAmount: 0n,
    closeAuthority: null,
  } as never)
const reason = (owner: typeof HERE, data: Uint8Array) => {
  const decoded = decodeTokenAccount(accountOf(owner, data))
  return decoded.exists ? 'exists' : decoded.reason
}

test('a token account of either program is read, frozen or with extensions too', () => {
  const expected = { exists: true, address: HERE, mint: HERE, owner: CORE_PROGRAM, amount: 77n }
  const read = (owner: typeof HERE, data: Uint8Array) => decodeTokenAccount(accountOf(owner, data))
  expect(read(TOKEN_PROGRAM, holder())).toEqual({ ...expected, tokenProgram: TOKEN_PROGRAM })
  expect(read(TOKEN_PROGRAM, holder(TokenState.Frozen))).toMatchObject(expected)
  const extended = Uint8Array.from([...holder(), 2, 7, 0, 0, 0])
  expect(read(TOKEN_2022_PROGRAM, extended)).toEqual({ ...expected, tokenProgram: TOKEN_2022_PROGRAM })
})

test('what is no token account says why', () => {
  expect(reason(SYSTEM_PROGRAM, new Uint8Array())).toBe('foreign')
  expect(reason(TOKEN_PROGRAM, holder(TokenState.Uninitialized))).toBe('malformed')
  expect(reason(TOKEN_PROGRAM, new Uint8Array(82))).toBe('other-kind')
  expect(reason(TOKEN_PROGRAM, Uint8Array.from([...holder(), 2]))).toBe('other-kind')
  expect(reason(TOKEN_2022_PROGRAM, Uint8Array.from([...holder(), 1]))).toBe('other-kind')
  expect(reason(TOKEN_2022_PROGRAM, new Uint8Array(355).fill(2))).toBe('other-kind')
  expect(decodeTokenAccount({ exists: false, address: HERE })).toMatchObject({ reason: 'missing' })
})

test('no bytes make it throw', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM),
      damaged(fc.constant(holder())),
      (owner, data) => {
        expect(typeof reason(owner, data)).toBe('string')
      },
    ),
    { numRuns: 800 },
  )
})
