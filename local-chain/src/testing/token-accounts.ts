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
import { openTokenAccountCall, syncNativeCall } from '@slipway/launch-model/calls/tokens'
import { WRAPPED_NATIVE_MINT } from '@slipway/launch-model/programs'
import type { Address } from '@solana/kit'
import { type ChainAccount, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../ledger/account.ts'
import { bytesOf } from '../ledger/address-bytes.ts'
import { systemCreateAccount } from '../ledger/system-instructions.ts'
import { blank } from '../programs/genesis/buckets.ts'
import { asKey } from '../programs/genesis/checks.ts'
import type { AccountRef, Instruction } from '../programs/stand-in.ts'
import { umi } from '../programs/umi-context.ts'
import { toInstruction } from '../world/calls.ts'

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

const ref = (address: Address, flags = ''): AccountRef => ({
  address,
  isSigner: flags.includes('s'),
  isWritable: flags.includes('w'),
})
const text = (value: string): Uint8Array => {
  const body = new TextEncoder().encode(value)
  const bytes = new Uint8Array(4 + body.length)
  new DataView(bytes.buffer).setUint32(0, body.length, true)
  bytes.set(body, 4)
  return bytes
}

type MintPlan = { payer: Address; mint: Address; decimals: number; rent: (size: number) => bigint }
const MINT_BYTES = 82

const initializeMint = (program: Address, { payer, mint, decimals }: MintPlan): Instruction => ({
  program,
  accounts: [ref(mint, 'w')],
  data: Uint8Array.from([20, decimals, ...bytesOf(payer), 0]),
})

export function createMint(plan: MintPlan): Instruction[] {
  const { payer, mint, rent } = plan
  return [
    systemCreateAccount(payer, mint, { lamports: rent(MINT_BYTES), space: MINT_BYTES, owner: TOKEN_PROGRAM }),
    initializeMint(TOKEN_PROGRAM, plan),
  ]
}

/** A Token-2022 mint that carries its own metadata. */
export function createMintWithMetadata(
  plan: MintPlan,
  metadata: { name: string; symbol: string; uri: string },
): Instruction[] {
  const { payer, mint, rent } = plan
  // A mint padded to the size of a token account, one byte for the account type, and the metadata pointer.
  const space = 165 + 1 + 4 + 64
  const values = [metadata.name, metadata.symbol, metadata.uri].flatMap(value => [...text(value)])
  const full = space + 4 + 32 + 32 + values.length + 4
  return [
    systemCreateAccount(payer, mint, { lamports: rent(full), space, owner: TOKEN_2022_PROGRAM }),
    {
      program: TOKEN_2022_PROGRAM,
      accounts: [ref(mint, 'w')],
      data: Uint8Array.from([39, 0, ...bytesOf(payer), ...bytesOf(mint)]),
    },
    initializeMint(TOKEN_2022_PROGRAM, plan),
    {
      program: TOKEN_2022_PROGRAM,
      accounts: [ref(mint, 'w'), ref(payer), ref(mint), ref(payer, 's')],
      data: Uint8Array.from([210, 225, 30, 162, 88, 184, 77, 141, ...values]),
    },
  ]
}

/** Creates the associated token account of `owner`, unless it exists. */
export const createAssociatedAccount = (
  payer: Address,
  owner: Address,
  mint: Address,
  program: Address = TOKEN_PROGRAM,
): Instruction => toInstruction(openTokenAccountCall(payer, owner, { mint, program }))

/** Makes the balance of a wrapped SOL account include lamports that were sent to it. */
export const syncNative = (account: Address): Instruction => toInstruction(syncNativeCall(account))
