import type { Address } from '@slipway/schema/address'
import { addressAt, addressBytes } from './bytes/base58.ts'
import { findProgramAddress } from './bytes/program-address.ts'
import { type BucketKindName, kindOf, LISTED_KINDS } from './kinds/kinds.ts'
import * as programs from './programs.ts'
import {
  AGENT_TOOLS_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  CORE_PROGRAM,
  GENESIS_PROGRAM,
  IDENTITY_PROGRAM,
  RAYDIUM_PROGRAMS,
  type RaydiumEnvironment,
  TOKEN_METADATA_PROGRAM,
} from './programs.ts'

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

/** Exists if the wallet is registered as an executive. */
export const executiveProfileAddress = cached((wallet: Address) =>
  derive(AGENT_TOOLS_PROGRAM, 'executive_profile', addressBytes(wallet)),
)

/** Exists while the executive with this profile may act for the agent. */
export const delegateRecordAddress = cached((profile: Address, agent: Address) =>
  derive(AGENT_TOOLS_PROGRAM, 'execution_delegate_record', addressBytes(profile), addressBytes(agent)),
)

export const tokenMetadataAddress = cached((mint: Address) =>
  derive(TOKEN_METADATA_PROGRAM, 'metadata', addressBytes(TOKEN_METADATA_PROGRAM), addressBytes(mint)),
)

export const associatedTokenAddress = cached((mint: Address, owner: Address, tokenProgram: Address) =>
  derive(ASSOCIATED_TOKEN_PROGRAM, addressBytes(owner), bytesOf(tokenProgram), bytesOf(mint)),
)

/** A bucket's index is one byte. */
const BUCKETS_MAX = 256

/** Each kind counts its buckets from 0. */
export const bucketAddress = cached((kind: BucketKindName, genesis: Address, index: number) =>
  derive(GENESIS_PROGRAM, kindOf(kind).seed, addressBytes(genesis), Uint8Array.of(index)),
)

/** The deposit of a wallet in a bucket. */
export const depositAddress = cached((kind: BucketKindName, bucket: Address, wallet: Address) => {
  const { deposits } = kindOf(kind)
  if (!deposits) throw new RangeError(`buckets of the kind ${kind} take no deposits`)
  return derive(GENESIS_PROGRAM, deposits.seed, addressBytes(bucket), addressBytes(wallet))
})

/** The first launch of a token. */
export const genesisAddress = cached((mint: Address) =>
  derive(GENESIS_PROGRAM, 'genesis_v2', addressBytes(mint), Uint8Array.of(0, 0)),
)

/** Every address where a launch can have a bucket: its account has the number of buckets, but not their kinds. */
export function bucketCandidates(genesis: Address, bucketCount: number): Address[] {
  return LISTED_KINDS.flatMap(({ name }) => bucketsOfKind(name, genesis, bucketCount))
}

export const bucketsOfKind = (kind: BucketKindName, genesis: Address, bucketCount: number): Address[] =>
  Array.from({ length: Math.min(bucketCount, BUCKETS_MAX) }, (_, index) =>
    bucketAddress(kind, genesis, index),
  )

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

/** The token of a pool, its price history, and Raydium's permission to create pools. */
export const poolMintAddress = cached((environment: RaydiumEnvironment, poolState: Address) =>
  derive(RAYDIUM_PROGRAMS[environment], 'pool_lp_mint', addressBytes(poolState)),
)
export const observationAddress = cached((environment: RaydiumEnvironment, poolState: Address) =>
  derive(RAYDIUM_PROGRAMS[environment], 'observation', addressBytes(poolState)),
)
export const poolPermissionAddress = cached((environment: RaydiumEnvironment, creator: Address) =>
  derive(RAYDIUM_PROGRAMS[environment], 'permission', addressBytes(creator)),
)

/** A seed is bytes, or a text that is hashed as UTF-8. */
function derive(program: Address, ...seeds: (Uint8Array | string)[]): Address {
  const bytes = seeds.map(seed => (typeof seed === 'string' ? textBytes(seed) : seed))
  return addressAt(findProgramAddress(bytesOf(program), bytes)[0])
}

/** Most derivations share these, so they are decoded once. */
const FIXED = new Map(
  [...Object.values(programs), ...Object.values(programs.RAYDIUM_PROGRAMS)]
    .filter(value => typeof value === 'string')
    .map(address => [address, addressBytes(address)]),
)
const bytesOf = (address: Address): Uint8Array => FIXED.get(address) ?? addressBytes(address)

const encoder = new TextEncoder()
const texts = new Map<string, Uint8Array>()
function textBytes(text: string): Uint8Array {
  const bytes = texts.get(text) ?? encoder.encode(text)
  texts.set(text, bytes)
  return bytes
}

function cached<Seeds extends (string | number)[]>(
  deriveAddress: (...seeds: Seeds) => Address,
): (...seeds: Seeds) => Address {
  const cache = new Map<string, Address>()
  return (...seeds) => {
    const key = seeds.length === 1 ? String(seeds[0]) : seeds.join()
    const known = cache.get(key)
    if (known) return known
    const address = deriveAddress(...seeds)
    if (cache.size >= CACHED_MAX) cache.clear()
    cache.set(key, address)
    return address
  }
}
