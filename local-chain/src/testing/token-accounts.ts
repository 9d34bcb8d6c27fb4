import {
  findMetadataPda,
  getMetadataAccountDataSerializer,
  Key,
  MPL_TOKEN_METADATA_PROGRAM_ID,
} from '@metaplex-foundation/mpl-token-metadata'
import {
  getMintAccountDataSerializer,
  getTokenAccountDataSerializer,
  TokenState,
} from '@metaplex-foundation/mpl-toolbox'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Address } from '@solana/kit'
import { type ChainAccount, TOKEN_PROGRAM } from '../ledger/account.ts'
import { blank } from '../programs/genesis/blank.ts'
import { asKey } from '../programs/genesis/checks.ts'
import { umi } from '../programs/umi-context.ts'

export { associatedToken } from '../world/calls.ts'

type Rent = (size: number) => bigint

/** A token account with `amount` in it. A wrapped SOL account holds the lamports itself. */
export function buildTokenAccount(mint: Address, owner: Address, amount: bigint, rent: Rent): ChainAccount {
  const native = mint === WRAPPED_NATIVE_MINT
  const reserve = rent(TOKEN_ACCOUNT_BYTES)
  const data = getTokenAccountDataSerializer().serialize({
    mint: asKey(mint),
    owner: asKey(owner),
    amount,
    delegate: null,
    state: TokenState.Initialized,
    isNative: native ? reserve : null,
    delegatedAmount: 0n,
    closeAuthority: null,
  })
  return { lamports: reserve + (native ? amount : 0n), owner: TOKEN_PROGRAM, data, executable: false }
}
const TOKEN_ACCOUNT_BYTES = 165

export function buildMint(
  authority: Address | undefined,
  supply: bigint,
  decimals: number,
  rent: Rent,
): ChainAccount {
  const data = getMintAccountDataSerializer().serialize({
    mintAuthority: authority ? asKey(authority) : null,
    supply,
    decimals,
    isInitialized: true,
    freezeAuthority: null,
  })
  return { lamports: rent(data.length), owner: TOKEN_PROGRAM, data, executable: false }
}

/** The Token Metadata account of a mint, with that program's padding. */
export function buildMetadata(
  mint: Address,
  authority: Address,
  { name, symbol, uri }: { name: string; symbol: string; uri: string },
  rent: Rent,
): [Address, ChainAccount] {
  const serializer = getMetadataAccountDataSerializer()
  const data = new Uint8Array(METADATA_BYTES)
  data.set(
    serializer.serialize({
      ...blank(serializer, Key.MetadataV1),
      updateAuthority: asKey(authority),
      mint: asKey(mint),
      name: name.padEnd(32, '\0'),
      symbol: symbol.padEnd(10, '\0'),
      uri: uri.padEnd(200, '\0'),
      sellerFeeBasisPoints: 0,
      creators: null,
      primarySaleHappened: false,
      isMutable: true,
      editionNonce: null,
      tokenStandard: 2,
      collection: null,
      uses: null,
      collectionDetails: null,
      programmableConfig: null,
    }),
  )
  const [address] = findMetadataPda(umi, { mint: asKey(mint) })
  return [
    address as string as Address,
    {
      lamports: rent(data.length),
      owner: MPL_TOKEN_METADATA_PROGRAM_ID as string as Address,
      data,
      executable: false,
    },
  ]
}
const METADATA_BYTES = 607
