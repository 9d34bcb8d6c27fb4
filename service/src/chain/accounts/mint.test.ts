import { getMetadataAccountDataSerializer, Key, TokenStandard } from '@metaplex-foundation/mpl-token-metadata'
import { getMintAccountDataSerializer, getTokenAccountDataSerializer } from '@metaplex-foundation/mpl-toolbox'
import { addressBytes } from '@slipway/launch-model/bytes/base58'
import {
  CORE_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_METADATA_PROGRAM,
  TOKEN_PROGRAM,
} from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeMint, decodeTokenMetadata, findTokenName } from './mint.ts'
import { accepted, accountOf, anyAddress, damaged, HERE, u64 } from './test-accounts.ts'

const plainMint = (more: object = {}) =>
  getMintAccountDataSerializer().serialize({
    mintAuthority: null,
    supply: 5n,
    decimals: 6,
    isInitialized: true,
    freezeAuthority: null,
    ...more,
  })
const u32 = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >> 24) & 255]
const text = (value: string) => {
  const bytes = new TextEncoder().encode(value)
  return [...u32(bytes.length), ...bytes]
}
const extension = (type: number, value: number[]) => [
  type,
  0,
  value.length & 255,
  value.length >> 8,
  ...value,
]
const pointer = (to: Address) => extension(18, [...new Uint8Array(32), ...addressBytes(to)])
const ownMetadata = (mint: Address, name: string, symbol: string, uri: string) =>
  extension(19, [
    ...new Uint8Array(32),
    ...addressBytes(mint),
    ...text(name),
    ...text(symbol),
    ...text(uri),
    ...u32(0),
  ])
const extended = (...extensions: number[][]) => {
  const data = new Uint8Array(166)
  data.set(plainMint())
  data[165] = 1
  return Uint8Array.from([...data, ...extensions.flat()])
}

test('a mint of either token program is decoded', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM),
      u64,
      fc.nat(255),
      fc.option(anyAddress),
      (owner, supply, decimals, mintAuthority) => {
        expect(decodeMint(accountOf(owner, plainMint({ supply, decimals, mintAuthority })))).toEqual({
          exists: true,
          address: HERE,
          tokenProgram: owner,
          supply,
          decimals,
        })
      },
    ),
    { numRuns: 200 },
  )
})

test('the metadata of a Token-2022 mint is decoded, even after other extensions', () => {
  const data = extended(
    extension(3, [1, 2, 3]),
    pointer(HERE),
    ownMetadata(HERE, 'Name\0\0', 'SYM', 'https://a.example/é'),
  )
  expect(decodeMint(accountOf(TOKEN_2022_PROGRAM, data))).toMatchObject({
    exists: true,
    metadataAddress: HERE,
    metadata: { name: 'Name', symbol: 'SYM', uri: 'https://a.example/é' },
  })
})

test('metadata that names another mint is ignored', () => {
  const decoded = decodeMint(
    accountOf(TOKEN_2022_PROGRAM, extended(ownMetadata(CORE_PROGRAM, 'Stolen', 'S', 'u'))),
  )
  expect(decoded).toMatchObject({ exists: true })
  expect(decoded).not.toHaveProperty('metadata')
})

test('an account that is not a mint says why', () => {
  const reason = (owner: Address, data: Uint8Array) => {
    const decoded = decodeMint(accountOf(owner, data))
    return decoded.exists ? 'exists' : decoded.reason
  }
  const holder = getTokenAccountDataSerializer().serialize({
    mint: HERE,
    owner: HERE,
    amount: 1n,
    delegate: null,
    state: 1,
    isNative: null,
    delegatedAmount: 0n,
    closeAuthority: null,
  } as never)
  const extendedHolder = Uint8Array.from([...holder, 2])
  expect(reason(TOKEN_PROGRAM, holder)).toBe('other-kind')
  expect(reason(TOKEN_2022_PROGRAM, holder)).toBe('other-kind')
  expect(reason(TOKEN_2022_PROGRAM, extendedHolder)).toBe('other-kind')
  expect(reason(TOKEN_PROGRAM, extended())).toBe('other-kind')
  expect(
    reason(
      TOKEN_2022_PROGRAM,
      Uint8Array.from({ length: 355 }, () => 1),
    ),
  ).toBe('other-kind')
  expect(reason(TOKEN_PROGRAM, plainMint({ isInitialized: false }))).toBe('malformed')
  expect(reason(CORE_PROGRAM, plainMint())).toBe('foreign')
  expect(reason(TOKEN_2022_PROGRAM, extended(pointer(HERE)).slice(0, -3))).toBe('malformed')
  expect(decodeMint({ exists: false, address: HERE })).toMatchObject({ reason: 'missing' })
})

test('damaged mints and metadata are decoded wherever the official serializer accepts them, and never throw', () => {
  const mints = damaged(
    fc.constantFrom(plainMint(), extended(pointer(HERE), ownMetadata(HERE, 'N', 'S', 'u'))),
  )
  fc.assert(
    fc.property(fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM), mints, (owner, data) => {
      const decoded = decodeMint(accountOf(owner, data))
      if (!decoded.exists) return
      const [{ supply, decimals }] = getMintAccountDataSerializer().deserialize(data)
      expect(decoded).toMatchObject({ supply, decimals })
    }),
    { numRuns: 500 },
  )
  fc.assert(
    fc.property(damaged(fc.constant(metadataOf({}))), data => {
      const decoded = decodeTokenMetadata(accountOf(TOKEN_METADATA_PROGRAM, data))
      const official = accepted(() => getMetadataAccountDataSerializer().deserialize(data)[0])
      if (!official || data[0] !== Key.MetadataV1) return
      const { mint, name, symbol, uri } = official.value
      expect(decoded).toEqual({ exists: true, address: HERE, mint, name, symbol, uri })
    }),
    { numRuns: 500 },
  )
})

const metadataOf = (more: object) =>
  getMetadataAccountDataSerializer().serialize({
    updateAuthority: HERE,
    mint: HERE,
    name: 'Harbour\0\0\0',
    symbol: 'HRB\0\0',
    uri: 'https://a.example\0\0',
    sellerFeeBasisPoints: 0,
    creators: null,
    primarySaleHappened: false,
    isMutable: true,
    editionNonce: null,
    tokenStandard: TokenStandard.Fungible,
    collection: null,
    uses: null,
    collectionDetails: null,
    programmableConfig: null,
    ...more,
  } as never)

test('Token Metadata is decoded without its padding, even if its last fields are unreadable', () => {
  const expected = {
    exists: true,
    address: HERE,
    mint: HERE,
    name: 'Harbour',
    symbol: 'HRB',
    uri: 'https://a.example',
  }
  const data = metadataOf({})
  expect(decodeTokenMetadata(accountOf(TOKEN_METADATA_PROGRAM, data))).toEqual(expected)
  // Accounts that are older than token standards hold arbitrary bytes there.
  const odd = Uint8Array.from([...data.subarray(0, -8), 9, 9, 9, 9, 9, 9, 9, 9])
  expect(() => getMetadataAccountDataSerializer().deserialize(odd)).toThrow()
  expect(decodeTokenMetadata(accountOf(TOKEN_METADATA_PROGRAM, odd))).toEqual(expected)
  expect(decodeTokenMetadata(accountOf(CORE_PROGRAM, data))).toMatchObject({ reason: 'foreign' })
  expect(decodeTokenMetadata(accountOf(TOKEN_METADATA_PROGRAM, Uint8Array.of(6, 0)))).toMatchObject({
    reason: 'other-kind',
  })
  expect(decodeTokenMetadata(accountOf(TOKEN_METADATA_PROGRAM, data.subarray(0, 70)))).toMatchObject({
    reason: 'malformed',
  })
})

test('the name of a token comes from the metadata that its mint points to', () => {
  const metadata = decodeTokenMetadata(accountOf(TOKEN_METADATA_PROGRAM, metadataOf({})))
  const none = decodeTokenMetadata({ exists: false, address: HERE })
  const ofOther = decodeTokenMetadata(accountOf(TOKEN_METADATA_PROGRAM, metadataOf({ mint: CORE_PROGRAM })))
  const plain = decodeMint(accountOf(TOKEN_PROGRAM, plainMint()))
  const own = decodeMint(
    accountOf(TOKEN_2022_PROGRAM, extended(pointer(HERE), ownMetadata(HERE, 'Own', 'O', 'u'))),
  )
  const away = decodeMint(
    accountOf(TOKEN_2022_PROGRAM, extended(pointer(CORE_PROGRAM), ownMetadata(HERE, 'Old', 'O', 'u'))),
  )
  expect(findTokenName(plain, metadata)?.name).toBe('Harbour')
  expect(findTokenName(plain, ofOther)).toBeUndefined()
  expect(findTokenName(plain, none)).toBeUndefined()
  expect(findTokenName(own, metadata)).toEqual({ name: 'Own', symbol: 'O', uri: 'u' })
  expect(findTokenName(away, metadata)?.name).toBe('Harbour')
  expect(findTokenName(away, none)).toBeUndefined()
  expect(findTokenName(decodeMint({ exists: false, address: HERE }), metadata)).toBeUndefined()
})
