import {
  address,
  bool,
  constant,
  type Decoded,
  decode,
  reserved,
  struct,
  u8,
  u16,
  u32,
  u64,
} from './bytes/codec.ts'

export const GENESIS_KEY = 18
export const genesisAccountLayout = struct({
  _key: constant([GENESIS_KEY]),
  bump: u8,
  index: u16,
  finalized: bool,
  _padding: reserved(3),
  authority: address,
  baseMint: address,
  quoteMint: address,
  totalSupply: u64,
  allocatedSupply: u64,
  totalProceeds: u64,
  fundingMode: u8,
  launchType: u8,
  _end: reserved(2),
  /** The number of buckets of all kinds together. Each kind numbers its own from 0. */
  bucketCount: u32,
})

const GENESIS_BYTES = genesisAccountLayout.size as number

/** The launch's own account; times and mechanics are in its buckets. */
export type GenesisAccount = Decoded<typeof genesisAccountLayout>

export function decodeGenesisData(data: Uint8Array): GenesisAccount | 'other-kind' | 'malformed' {
  if (data[0] !== GENESIS_KEY) return data.length === 0 ? 'malformed' : 'other-kind'
  return data.length < GENESIS_BYTES ? 'malformed' : decode(genesisAccountLayout, data)
}
