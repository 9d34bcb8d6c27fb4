import type { Address } from '@slipway/schema/address'
import type { BucketKind } from '@slipway/schema/launch'
import { LRUCache } from 'lru-cache'
import { addressAt, addressBytes } from './base58.ts'
import { findProgramAddress } from './program-address.ts'

/** Fixed addresses. Tests compare every one of them with the official clients. */
export const CORE_PROGRAM = 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d' as Address
export const IDENTITY_PROGRAM = '1DREGFgysWYxLnRnKQnwrxnJQeSMk2HmGaC6whw2B2p' as Address
export const GENESIS_PROGRAM = 'GNS1S5J5AspKXgpjz6SvKL66kPaKWAhaGRhCqPRxii2B' as Address
export const TOKEN_METADATA_PROGRAM = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s' as Address
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as Address
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' as Address
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL' as Address
export const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address
/** The version of the memo program that checks signers. */
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address
export const WRAPPED_NATIVE_MINT = 'So11111111111111111111111111111111111111112' as Address

/** Raydium's constant-product program has a different address on each network. */
export const RAYDIUM_PROGRAMS = {
  mainnet: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C' as Address,
  devnet: 'DRaycpLY18LhpbydsBWbVJtxpNv9oXPgjRSfpF2bWpYb' as Address,
}
export type RaydiumEnvironment = keyof typeof RAYDIUM_PROGRAMS

/** The configuration of pools that pay a creator. */
export const RAYDIUM_CREATOR_FEE_CONFIGS: Record<RaydiumEnvironment, Address> = {
  mainnet: 'CRRS5ieQmBrZjWhcj99JuGrT5tyuWDaGAXLXLFjbAtjQ' as Address,
  devnet: '5MxLgy9oPdTC3YgkiePHqr3EoCRD9uLVYRQS2ANAs7wy' as Address,
}

/** Receives the fees of Genesis. */
export const GENESIS_FEE_WALLET = '9kFjQsxtpBsaw8s7aUyiY3wazYDNgFP4Lj5rsBVVF8tb' as Address

/** Receives the protocol's share of a pool's fees. */
export const RAYDIUM_FEE_WALLET = 'A1xCjrfiQdRZHbCnovSqLeRkFTcgWJKWCYv9E8WxcfoR' as Address

/** Enough for every agent and bucket that a busy node meets in an hour, at about 200 bytes each. */
const CACHED_MAX = 20_000

/** The wallet of an agent. Core signs for it when the asset's owner executes an instruction. */
export const assetSignerAddress = cached((asset: Address) =>
  derive(CORE_PROGRAM, 'mpl-core-execute', addressBytes(asset)),
)

/** The identity of an asset, of either version. */
export const identityAddress = cached((asset: Address) =>
  derive(IDENTITY_PROGRAM, 'agent_identity', addressBytes(asset)),
)

export const tokenMetadataAddress = cached((mint: Address) =>
  derive(TOKEN_METADATA_PROGRAM, 'metadata', addressBytes(TOKEN_METADATA_PROGRAM), addressBytes(mint)),
)

export const associatedTokenAddress = cached((mint: Address, owner: Address, tokenProgram: Address) =>
  derive(ASSOCIATED_TOKEN_PROGRAM, addressBytes(owner), addressBytes(tokenProgram), addressBytes(mint)),
)

const BUCKET_SEEDS: Record<BucketKind, string> = {
  launchpoolV2: 'launch_pool_v2',
  presaleV2: 'presale_v2',
  bondingCurveV2: 'bonding_curve_v2',
  raydiumCpmmV2: 'raydium_cpmm_v2',
}
/** A bucket's index is one byte. */
const BUCKETS_MAX = 256

/** Each kind counts its buckets from 0. */
export const bucketAddress = cached((kind: BucketKind, genesis: Address, index: number) =>
  derive(GENESIS_PROGRAM, BUCKET_SEEDS[kind], addressBytes(genesis), Uint8Array.of(index)),
)

/** A bucket for one recipient. It has no times or prices that a listing shows, so it is not among the kinds above. */
export const unlockedBucketAddress = cached((genesis: Address, index: number) =>
  derive(GENESIS_PROGRAM, 'unlocked_v2', addressBytes(genesis), Uint8Array.of(index)),
)

/** The first launch of a token. */
export const genesisAddress = cached((mint: Address) =>
  derive(GENESIS_PROGRAM, 'genesis_v2', addressBytes(mint), Uint8Array.of(0, 0)),
)

/** Every address where a launch can have a bucket: its account has the number of buckets, but not their kinds. */
export function bucketCandidates(genesis: Address, bucketCount: number): Address[] {
  const kinds = Object.keys(BUCKET_SEEDS) as BucketKind[]
  const indexes = Array.from({ length: Math.min(bucketCount, BUCKETS_MAX) }, (_, index) => index)
  return kinds.flatMap(kind => indexes.map(index => bucketAddress(kind, genesis, index)))
}

/** Holds the creator fees of an AMM bucket. */
export const bucketSignerAddress = cached((bucket: Address) =>
  derive(GENESIS_PROGRAM, 'bucket_signer', addressBytes(bucket)),
)

/** The creator of every pool. */
export const raydiumSignerAddress = cached(() => derive(GENESIS_PROGRAM, 'raydium_signer'))

/** The pool that an AMM bucket graduated into. */
export const poolStateAddress = cached((bucket: Address) =>
  derive(GENESIS_PROGRAM, 'raydium_pool_state', addressBytes(bucket)),
)

export const poolAuthorityAddress = cached((environment: RaydiumEnvironment) =>
  derive(RAYDIUM_PROGRAMS[environment], 'vault_and_lp_mint_auth_seed'),
)

export const poolVaultAddress = cached((environment: RaydiumEnvironment, poolState: Address, mint: Address) =>
  derive(RAYDIUM_PROGRAMS[environment], 'pool_vault', addressBytes(poolState), addressBytes(mint)),
)

/** A seed is bytes, or a text that is hashed as UTF-8. */
function derive(program: Address, ...seeds: (Uint8Array | string)[]): Address {
  const bytes = seeds.map(seed => (typeof seed === 'string' ? Buffer.from(seed) : seed))
  return addressAt(findProgramAddress(addressBytes(program), bytes)[0])
}

function cached<Seeds extends (string | number)[]>(
  deriveAddress: (...seeds: Seeds) => Address,
): (...seeds: Seeds) => Address {
  const cache = new LRUCache<string, Address>({ max: CACHED_MAX })
  return (...seeds) => {
    const key = seeds.length === 1 ? String(seeds[0]) : seeds.join()
    const known = cache.get(key)
    if (known) return known
    const address = deriveAddress(...seeds)
    cache.set(key, address)
    return address
  }
}
