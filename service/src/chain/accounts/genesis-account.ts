import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { GENESIS_PROGRAM } from '../addresses/programs.ts'
import { officialClients, once } from '../official-clients.ts'
import { type Decoded, decodeAccount } from './decoded.ts'

/** A launch, as far as its own account tells; the rest is in its buckets. */
export interface GenesisAccount {
  index: number
  finalized: boolean
  authority: Address
  baseMint: Address
  quoteMint: Address
  totalSupply: bigint
  /** Of all kinds together; each kind counts its own from 0. */
  bucketCount: number
}

export const decodeGenesisAccount = (account: ChainAccount): Decoded<GenesisAccount> =>
  decodeAccount(account, [GENESIS_PROGRAM], ({ data }) => {
    if (data[0] !== officialClients.genesis().Key.GenesisAccountV2)
      return data.length === 0 ? 'malformed' : 'other-kind'
    const [genesis] = serializer().deserialize(data)
    return {
      index: genesis.index,
      finalized: genesis.finalized,
      authority: genesis.authority as string as Address,
      baseMint: genesis.baseMint as string as Address,
      quoteMint: genesis.quoteMint as string as Address,
      totalSupply: genesis.totalSupplyBaseToken,
      bucketCount: genesis.bucketCount,
    }
  })

const serializer = once(() => officialClients.genesis().getGenesisAccountV2AccountDataSerializer())
