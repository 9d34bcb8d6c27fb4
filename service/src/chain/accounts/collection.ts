import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { CORE_PROGRAM } from '../addresses/programs.ts'
import { coreInternals, officialClients, once } from '../official-clients.ts'
import { type Decoded, decodeAccount } from './decoded.ts'

export interface Collection {
  updateAuthority: Address
  name: string
  uri: string
  size: number
}

export const decodeCollection = (account: ChainAccount): Decoded<Collection> =>
  decodeAccount(account, [CORE_PROGRAM], ({ data }) => {
    if (data[0] !== officialClients.core().Key.CollectionV1)
      return data.length === 0 ? 'malformed' : 'other-kind'
    const [collection] = serializer().deserialize(data)
    return {
      updateAuthority: collection.updateAuthority as string as Address,
      name: collection.name,
      uri: collection.uri,
      size: collection.currentSize,
    }
  })

const serializer = once(() => coreInternals.collection().getCollectionV1AccountDataSerializer())
