import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'
import { GENESIS_PROGRAM } from '../addresses/addresses.ts'
import { addressAt } from '../addresses/base58.ts'
import { type Decoded, decodeProgramAccount } from './decode-account.ts'

/** The launch's own account; times and mechanics are in its buckets. */
export interface GenesisAccount {
  index: number
  finalized: boolean
  authority: Address
  baseMint: Address
  quoteMint: Address
  totalSupply: bigint
  /** Counts the buckets of all kinds together; each kind numbers its own buckets from 0. */
  bucketCount: number
}

const GENESIS_ACCOUNT_V2 = 18
const ACCOUNT_BYTES = 136
const OFFSETS = {
  index: 2,
  finalized: 4,
  authority: 8,
  baseMint: 40,
  quoteMint: 72,
  totalSupply: 104,
  bucketCount: 132,
}

export const decodeGenesisAccount = (account: ChainAccount): Decoded<GenesisAccount> =>
  decodeProgramAccount(account, [GENESIS_PROGRAM], ({ data }) => {
    if (data[0] !== GENESIS_ACCOUNT_V2) return data.length === 0 ? 'malformed' : 'other-kind'
    if (data.length < ACCOUNT_BYTES) return 'malformed'
    const view = new DataView(data.buffer, data.byteOffset, data.length)
    return {
      index: view.getUint16(OFFSETS.index, true),
      finalized: view.getUint8(OFFSETS.finalized) === 1,
      authority: addressAt(data, OFFSETS.authority),
      baseMint: addressAt(data, OFFSETS.baseMint),
      quoteMint: addressAt(data, OFFSETS.quoteMint),
      totalSupply: view.getBigUint64(OFFSETS.totalSupply, true),
      bucketCount: view.getUint32(OFFSETS.bucketCount, true),
    }
  })
