import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { TOKEN_METADATA_PROGRAM } from '../addresses/programs.ts'
import { createByteReader, type Decoded, decodeProgramAccount } from './decode-account.ts'

export interface TokenName {
  name: string
  symbol: string
  uri: string
}

export interface TokenMetadata extends TokenName {
  mint: Address
}

const METADATA_V1 = 4
/** After the first byte and the update authority. */
const MINT = 33

/**
 * The metadata that the Token Metadata program keeps for a mint. Only the first fields are decoded: the official client
 * cannot read the rest of some old accounts, and nothing there is needed.
 */
export const decodeTokenMetadata = (account: ChainAccount): Decoded<TokenMetadata> =>
  decodeProgramAccount(account, [TOKEN_METADATA_PROGRAM], ({ data }) => {
    if (data[0] !== METADATA_V1) return data.length === 0 ? 'malformed' : 'other-kind'
    const reader = createByteReader(data, MINT)
    return { mint: reader.address(), name: reader.text(), symbol: reader.text(), uri: reader.text() }
  })
