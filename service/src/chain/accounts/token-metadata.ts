import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { TOKEN_METADATA_PROGRAM } from '../addresses/programs.ts'
import { officialClients, once } from '../official-clients.ts'
import { type Decoded, decodeAccount } from './decoded.ts'

export interface TokenName {
  name: string
  symbol: string
  uri: string
}

export interface TokenMetadata extends TokenName {
  mint: Address
}

/**
 * What the Token Metadata program says of a mint. Its texts are padded with NUL bytes, which the serializers take away.
 * Only the front is read: there are old accounts whose rear the official client cannot read, and nothing there is used.
 */
export const decodeTokenMetadata = (account: ChainAccount): Decoded<TokenMetadata> =>
  decodeAccount(account, [TOKEN_METADATA_PROGRAM], ({ data }) => {
    if (data[0] !== officialClients.tokenMetadata().Key.MetadataV1)
      return data.length === 0 ? 'malformed' : 'other-kind'
    const { mint, name, symbol, uri } = fields()
    const [owner] = mint[1].deserialize(data, mint[0] as number)
    const [nameText, afterName] = name[1].deserialize(data, name[0] as number)
    const [symbolText, afterSymbol] = symbol[1].deserialize(data, afterName)
    const [uriText] = uri[1].deserialize(data, afterSymbol)
    return { mint: owner as string as Address, name: nameText, symbol: symbolText, uri: uriText }
  })

/** The official table of fields: where each begins and how it is read. */
const fields = once(() => {
  const context = { programs: { getPublicKey: () => TOKEN_METADATA_PROGRAM }, rpc: {} }
  const { options } = officialClients.tokenMetadata().getMetadataGpaBuilder(context as never)
  if (!options.fields) throw new Error('the official client has no table of fields')
  return options.fields
})
