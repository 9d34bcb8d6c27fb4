import { tokenMetadataAddress } from '@slipway/launch-model/addresses'
import { addressAt, keyAt } from '@slipway/launch-model/bytes/base58'
import { TOKEN_2022_ACCOUNT_BYTES } from '@slipway/launch-model/calls/tokens'
import { TOKEN_2022_PROGRAM, TOKEN_METADATA_PROGRAM, TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import { TOKEN_ACCOUNT_BYTES } from '@slipway/launch-model/rent'
import type { Address } from '@slipway/schema/address'
import type { AccountReader, ChainAccount } from '../account-reader.ts'
import {
  createByteReader,
  type Decoded,
  decodeProgramAccount,
  type ExistingAccount,
} from './decode-account.ts'

export type TransferRestriction = 'non-transferable' | 'paused' | 'hook' | 'fee'

interface Mint {
  /** The program that owns the mint and its token accounts. */
  tokenProgram: Address
  decimals: number
  supply: bigint
  /** Token-2022 only: the address that the mint names for its metadata; often the mint itself. */
  metadataAddress?: Address
  /** Token-2022 only: the metadata inside the mint account. */
  metadata?: TokenName
}

export interface TokenName {
  name: string
  symbol: string
  uri: string
}

const SUPPLY = 36
const DECIMALS = 44
const IS_INITIALIZED = 45
const MINT_BYTES = 82

/**
 * Token-2022 pads a mint to the size of a token account. The next byte says which of the two the account is, and the
 * extensions follow: type, length, value.
 */
const ACCOUNT_TYPE = 165
const MINT_ACCOUNT = 1
/** The program gives no mint or token account this length. */
const MULTISIG_BYTES = 355
const METADATA_POINTER = 18
const TOKEN_METADATA = 19

/** A mint of either token program. */
export const decodeMint = (account: ChainAccount): Decoded<Mint> =>
  decodeProgramAccount(account, [TOKEN_PROGRAM, TOKEN_2022_PROGRAM], existing => {
    const { owner, data } = existing
    if (data.length < MINT_BYTES) return data.length === 0 ? 'malformed' : 'other-kind'
    if (data.length > MINT_BYTES) {
      const isExtended = owner === TOKEN_2022_PROGRAM && data.length !== MULTISIG_BYTES
      if (!isExtended || data[ACCOUNT_TYPE] !== MINT_ACCOUNT) return 'other-kind'
    }
    if (data[IS_INITIALIZED] !== 1) return 'malformed'
    return {
      tokenProgram: owner,
      decimals: data[DECIMALS] as number,
      supply: new DataView(data.buffer, data.byteOffset).getBigUint64(SUPPLY, true),
      ...decodeExtensions(existing),
    }
  })

function decodeExtensions({ address, data }: ExistingAccount): Pick<Mint, 'metadata' | 'metadataAddress'> {
  const found: Pick<Mint, 'metadata' | 'metadataAddress'> = {}
  for (const { type, value } of listExtensions(data)) {
    const metadataAddress = type === METADATA_POINTER && keyAt(value, 32)
    if (metadataAddress) found.metadataAddress = metadataAddress
    // Metadata names its mint, so that it cannot be copied from another one.
    if (type === TOKEN_METADATA && addressAt(value, 32) === address) found.metadata = decodeTokenName(value)
  }
  return found
}

function* listExtensions(data: Uint8Array): Iterable<{ type: number; value: Uint8Array }> {
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  for (let at = ACCOUNT_TYPE + 1; at + 4 <= data.length; ) {
    const type = view.getUint16(at, true)
    const length = view.getUint16(at + 2, true)
    const value = data.subarray(at + 4, at + 4 + length)
    // The rest of the account is unused.
    if (type === 0) return
    if (value.length < length) throw new RangeError('an extension ends after the account')
    yield { type, value }
    at += 4 + length
  }
}

const [TRANSFER_FEE, NON_TRANSFERABLE, PERMANENT_DELEGATE, TRANSFER_HOOK, PAUSABLE] = [1, 9, 12, 14, 26]
const TRANSFER_EXTENSIONS = [TRANSFER_FEE, NON_TRANSFERABLE, PERMANENT_DELEGATE, TRANSFER_HOOK, PAUSABLE]
const DEFAULT_ACCOUNT_STATE = 6
const FROZEN = 2

/**
 * Whether a transfer of a mint's tokens can bring less than was sent, be undone or fail, even into a new account. The
 * account must be a mint.
 */
export const hasSpecialTransfers = ({ data }: ExistingAccount): boolean =>
  [...listExtensions(data)].some(
    ({ type, value }) =>
      TRANSFER_EXTENSIONS.includes(type) || (type === DEFAULT_ACCOUNT_STATE && value[0] === FROZEN),
  )

/**
 * Bytes that a mint's extensions add to each of its token accounts: the withheld fee, whether a hook is running, or a
 * mark without a value. Each includes four bytes for type and length.
 */
const ADDED_BYTES: Partial<Record<number, number>> = {
  [TRANSFER_FEE]: 12,
  [NON_TRANSFERABLE]: 4,
  [TRANSFER_HOOK]: 5,
  [PAUSABLE]: 4,
}
/** Extensions of later types are unknown: each counts as much as the largest of those. */
const KNOWN_TYPE_MAX = 28
const ADDED_BYTES_MAX = 12

/** Size of a new associated token account of this mint. */
export function tokenAccountBytes(mint: ExistingAccount): number {
  if (mint.owner !== TOKEN_2022_PROGRAM) return TOKEN_ACCOUNT_BYTES
  if (!decodeMint(mint).exists) return TOKEN_2022_ACCOUNT_BYTES
  return [...listExtensions(mint.data)].reduce(
    (sum, { type }) => sum + (ADDED_BYTES[type] ?? (type > KNOWN_TYPE_MAX ? ADDED_BYTES_MAX : 0)),
    TOKEN_2022_ACCOUNT_BYTES,
  )
}

/** After the authority's address: the program that a transfer calls, or whether transfers are paused. */
const AFTER_AUTHORITY = 32

/**
 * What restricts a transfer now. With a fee, less arrives than was sent; the others stop the transfer. The account
 * must be a mint.
 */
export function findRestriction({ data }: ExistingAccount): TransferRestriction | null {
  let found: TransferRestriction | null = null
  for (const { type, value } of listExtensions(data)) {
    if (type === NON_TRANSFERABLE) return 'non-transferable'
    if (type === PAUSABLE && value[AFTER_AUTHORITY] === 1) return 'paused'
    if (type === TRANSFER_HOOK && keyAt(value, AFTER_AUTHORITY)) found = 'hook'
    if (type === TRANSFER_FEE) found ??= 'fee'
  }
  return found
}

function decodeTokenName(extension: Uint8Array): TokenName {
  // After the update authority and the mint.
  const reader = createByteReader(extension, 64)
  return { name: reader.text(), symbol: reader.text(), uri: reader.text() }
}

interface TokenMetadata extends TokenName {
  mint: Address
}

const METADATA_V1 = 4
/** After the first byte and the update authority. */
const METADATA_MINT = 33

/**
 * The metadata that the Token Metadata program keeps for a mint. Only the first fields are decoded: the official client
 * cannot read the rest of some old accounts, and nothing there is needed.
 */
export const decodeTokenMetadata = (account: ChainAccount): Decoded<TokenMetadata> =>
  decodeProgramAccount(account, [TOKEN_METADATA_PROGRAM], ({ data }) => {
    if (data[0] !== METADATA_V1) return data.length === 0 ? 'malformed' : 'other-kind'
    const reader = createByteReader(data, METADATA_MINT)
    return { mint: reader.address(), name: reader.text(), symbol: reader.text(), uri: reader.text() }
  })

/** The token's name: from its own metadata if the mint points to itself, otherwise from Token Metadata. */
export function findTokenName(
  mint: Decoded<Mint>,
  tokenMetadata: Decoded<TokenMetadata>,
): TokenName | undefined {
  if (!mint.exists) return undefined
  const pointsElsewhere = mint.metadataAddress !== undefined && mint.metadataAddress !== mint.address
  const named = tokenMetadata.exists && tokenMetadata.mint === mint.address ? tokenMetadata : undefined
  const found = pointsElsewhere ? named : (mint.metadata ?? named)
  return found && { name: found.name, symbol: found.symbol, uri: found.uri }
}

/** The name of a token; undefined if the mint does not exist or has none. Takes one round trip. */
export async function fetchTokenFacts(reader: AccountReader, mint: Address): Promise<TokenName | undefined> {
  const { accounts } = await reader.fetchAccounts([mint, tokenMetadataAddress(mint)])
  const [mintAccount, metadataAccount] = accounts
  if (!mintAccount || !metadataAccount) return undefined
  return findTokenName(decodeMint(mintAccount), decodeTokenMetadata(metadataAccount))
}
