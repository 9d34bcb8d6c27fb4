import type { PublicKey } from '@metaplex-foundation/umi'
import { addressBytes } from '@slipway/launch-model/bytes/base58'
import {
  CORE_PROGRAM,
  RAYDIUM_PROGRAMS,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@slipway/launch-model/programs'
import { blankPool, encodePoolFees } from '@slipway/local-chain/programs/genesis/pool-state'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodePoolState } from './pool-state.ts'
import { accountOf, anyAddress, damaged, HERE, u64 } from './test-accounts.ts'

const key = (address: string) => address as PublicKey
const mints = { baseMint: CORE_PROGRAM, quoteMint: TOKEN_PROGRAM }

/** The fields of the second mint follow. */
const PROTOCOL_FEES = 341
const FUND_FEES = 357

test('the fees belong to the right mint, whichever of the two comes first', () => {
  fc.assert(
    fc.property(
      anyAddress,
      anyAddress,
      u64,
      u64,
      fc.boolean(),
      (baseMint, quoteMint, base, quote, baseFirst) => {
        fc.pre(baseMint !== quoteMint)
        const data = baseFirst
          ? encodePoolFees(blankPool(key(baseMint), key(quoteMint)), base, quote)
          : encodePoolFees(blankPool(key(quoteMint), key(baseMint)), quote, base)
        const view = new DataView(data.buffer)
        const [at0, at1] = baseFirst ? [0, 8] : [8, 0]
        for (const fees of [PROTOCOL_FEES, FUND_FEES]) {
          view.setBigUint64(fees + at0, 5n, true)
          view.setBigUint64(fees + at1, 7n, true)
        }
        expect(decodePoolState(accountOf(RAYDIUM_PROGRAMS.mainnet, data), { baseMint, quoteMint })).toEqual({
          exists: true,
          address: HERE,
          environment: 'mainnet',
          creatorFees: { base, quote },
          heldFees: { base: base + 10n, quote: quote + 14n },
        })
      },
    ),
    { numRuns: 300 },
  )
})

test('the network, the configuration and the token programs are decoded', () => {
  const data = blankPool(key(mints.quoteMint), key(mints.baseMint))
  data.set(addressBytes(HERE), 8)
  data.set(addressBytes(TOKEN_PROGRAM), 232)
  data.set(addressBytes(TOKEN_2022_PROGRAM), 264)
  expect(decodePoolState(accountOf(RAYDIUM_PROGRAMS.devnet, data), mints)).toMatchObject({
    environment: 'devnet',
    ammConfig: HERE,
    baseTokenProgram: TOKEN_2022_PROGRAM,
    quoteTokenProgram: TOKEN_PROGRAM,
  })
})

test('an account that is not this pool says why', () => {
  const data = blankPool(key(mints.baseMint), key(mints.quoteMint))
  const reason = (owner: typeof HERE, bytes: Uint8Array, wanted = mints) => {
    const decoded = decodePoolState(accountOf(owner, bytes), wanted)
    return decoded.exists ? 'exists' : decoded.reason
  }
  expect(reason(CORE_PROGRAM, data)).toBe('foreign')
  expect(reason(RAYDIUM_PROGRAMS.mainnet, data)).toBe('exists')
  expect(reason(RAYDIUM_PROGRAMS.mainnet, data, { ...mints, baseMint: HERE })).toBe('other-kind')
  expect(reason(RAYDIUM_PROGRAMS.mainnet, data, { ...mints, quoteMint: HERE })).toBe('other-kind')
  expect(reason(RAYDIUM_PROGRAMS.mainnet, data.subarray(0, 500))).toBe('malformed')
  expect(reason(RAYDIUM_PROGRAMS.mainnet, new Uint8Array(637))).toBe('other-kind')
  expect(decodePoolState({ exists: false, address: HERE }, mints)).toMatchObject({ reason: 'missing' })
  fc.assert(
    fc.property(damaged(fc.constant(data)), bytes => {
      expect(typeof reason(RAYDIUM_PROGRAMS.mainnet, bytes)).toBe('string')
    }),
    { numRuns: 500 },
  )
})
