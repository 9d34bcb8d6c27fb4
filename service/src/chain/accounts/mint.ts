import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { addressAt, keyAt } from '../addresses/base58.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../addresses/programs.ts'
import { officialClients, once } from '../official-clients.ts'
import { type Decoded, decodeAccount, type ExistingAccount } from './decoded.ts'
import type { TokenMetadata, TokenName } from './token-metadata.ts'

export interface Mint {
  /** The program that the mint's token accounts belong to. */
  tokenProgram: Address
  decimals: number
  supply: bigint
  /** Token-2022 only: where the mint says that its metadata is; often itself. */
  metadataAddress?: Address
  /** Token-2022 only: the metadata that the mint carries itself. */
  metadata?: TokenName
}

/** A mint of either token program. */
export const decodeMint = (account: ChainAccount): Decoded<Mint> =>
  decodeAccount(account, [TOKEN_PROGRAM, TOKEN_2022_PROGRAM], existing => {
    const { owner, data } = existing
    if (data.length < MINT_BYTES) return data.length === 0 ? 'malformed' : 'other-kind'
    if (data.length > MINT_BYTES) {
      const extended = owner === TOKEN_2022_PROGRAM && data.length !== MULTISIG_BYTES
      if (!extended || data[ACCOUNT_TYPE] !== MINT_ACCOUNT) return 'other-kind'
    }
    const [mint] = serializer().deserialize(data)
    if (!mint.isInitialized) return 'malformed'
    return { tokenProgram: owner, decimals: mint.decimals, supply: mint.supply, ...readExtensions(existing) }
  })

/** How a token is called: by its own metadata where the mint points at itself, else by Token Metadata. */
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

const serializer = once(() => officialClients.toolbox().getMintAccountDataSerializer())

/**
 * Token-2022 pads a mint to the size of a token account, and writes behind it which of the two it is and then its
 * extensions: type, length, value. None of the official packages here reads them, so their places are written down.
 */
const MINT_BYTES = 82
const ACCOUNT_TYPE = 165
/** The program never gives a mint or a token account this length. */
const MULTISIG_BYTES = 355
const MINT_ACCOUNT = 1
const METADATA_POINTER = 18
const TOKEN_METADATA = 19

function readExtensions({ address, data }: ExistingAccount): Pick<Mint, 'metadata' | 'metadataAddress'> {
  const found: Pick<Mint, 'metadata' | 'metadataAddress'> = {}
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  for (let at = ACCOUNT_TYPE + 1; at + 4 <= data.length; ) {
    const type = view.getUint16(at, true)
    const length = view.getUint16(at + 2, true)
    const value = data.subarray(at + 4, at + 4 + length)
    // The rest is room that is not used yet.
    if (type === 0) break
    if (value.length < length) throw new RangeError('the extension ends behind the account')
    const pointsAt = type === METADATA_POINTER && keyAt(value, 32)
    if (pointsAt) found.metadataAddress = pointsAt
    // It names its mint so that nobody can lend it another's.
    if (type === TOKEN_METADATA && addressAt(value, 32) === address)
      found.metadata = readTexts(value.subarray(64))
    at += 4 + length
  }
  return found
}

function readTexts(data: Uint8Array): TokenName {
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  let at = 0
  const text = () => {
    const end = at + 4 + view.getUint32(at, true)
    if (end > data.length) throw new RangeError('the text ends behind the extension')
    const value = decoder.decode(data.subarray(at + 4, end)).replaceAll('\0', '')
    at = end
    return value
  }
  return { name: text(), symbol: text(), uri: text() }
}

const decoder = new TextDecoder()
