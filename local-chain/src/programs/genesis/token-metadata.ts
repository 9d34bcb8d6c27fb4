import {
  findMasterEditionPda,
  findMetadataPda,
  getMetadataAccountDataSerializer,
  Key,
  MPL_TOKEN_METADATA_PROGRAM_ID,
} from '@metaplex-foundation/mpl-token-metadata'
import type { PublicKey } from '@metaplex-foundation/umi'
import type { Address } from '@solana/kit'
import { ProgramError } from '../stand-in.ts'
import { umi } from '../umi-context.ts'
import { blank } from './buckets.ts'

export const TOKEN_METADATA = MPL_TOKEN_METADATA_PROGRAM_ID as string as Address
/** The fee of Token Metadata, which stays in the metadata account. */
export const METADATA_FEE_LAMPORTS = 10_000_000n
const METADATA_BYTES = 607
const FUNGIBLE = 2

export type TokenText = { readonly name: string; readonly symbol: string; readonly uri: string }

export const metadataAddress = (mint: PublicKey): PublicKey => findMetadataPda(umi, { mint })[0]

/** Limits of Token Metadata's own fields, in bytes, with its error codes. */
const LIMITS = [
  ['name', 32, 11, 'Name too long'],
  ['symbol', 10, 12, 'Symbol too long'],
  ['uri', 200, 13, 'URI too long'],
] as const

export function assertTextFits(text: TokenText): void {
  for (const [field, bytes, code, message] of LIMITS) {
    if (Buffer.byteLength(text[field]) > bytes) throw new ProgramError({ Custom: code }, message)
  }
}

/**
 * The account that Token Metadata creates for a fungible mint: every text padded to its limit, and a last byte for
 * the fee.
 */
export function encodeMetadata(mint: PublicKey, updateAuthority: PublicKey, text: TokenText): Uint8Array {
  const serializer = getMetadataAccountDataSerializer()
  const data = new Uint8Array(METADATA_BYTES)
  const padded = Object.fromEntries(
    LIMITS.map(([field, bytes]) => [
      field,
      text[field] + '\0'.repeat(bytes - Buffer.byteLength(text[field])),
    ]),
  ) as TokenText
  data.set(
    serializer.serialize({
      ...blank(serializer, Key.MetadataV1),
      ...padded,
      updateAuthority,
      mint,
      sellerFeeBasisPoints: 0,
      creators: null,
      primarySaleHappened: false,
      isMutable: true,
      editionNonce: findMasterEditionPda(umi, { mint })[1],
      tokenStandard: FUNGIBLE,
      collection: null,
      uses: null,
      collectionDetails: null,
      programmableConfig: null,
    }),
  )
  data[METADATA_BYTES - 1] = 1
  return data
}
