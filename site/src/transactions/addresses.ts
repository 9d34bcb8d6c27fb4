import type { Address } from '@slipway/client'
import { getAddressEncoder, getProgramDerivedAddress, type Address as KitAddress } from '@solana/kit'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  CORE_PROGRAM,
  GENESIS_PROGRAM,
  IDENTITY_PROGRAM,
  TOKEN_METADATA_PROGRAM,
} from './programs.ts'

/** The wallet of an agent. Core signs for it when the asset's owner executes an instruction. */
export const agentWalletAddress = (asset: Address) => derive(CORE_PROGRAM, 'mpl-core-execute', [asset])

export const identityAddress = (asset: Address) => derive(IDENTITY_PROGRAM, 'agent_identity', [asset])

export const tokenMetadataAddress = (mint: Address) =>
  derive(TOKEN_METADATA_PROGRAM, 'metadata', [TOKEN_METADATA_PROGRAM], [mint])

/** The token account that belongs to `owner`. */
export const tokenAccountAddress = (mint: Address, owner: Address, tokenProgram: Address) =>
  derive(ASSOCIATED_TOKEN_PROGRAM, [owner], [tokenProgram], [mint])

/** The first launch of a token. */
export const genesisAddress = (mint: Address) =>
  derive(GENESIS_PROGRAM, 'genesis_v2', [mint], Uint8Array.of(0, 0))

const BUCKET_SEEDS = {
  launchpoolV2: 'launch_pool_v2',
  bondingCurveV2: 'bonding_curve_v2',
  raydiumV2: 'raydium_cpmm_v2',
  unlockedV2: 'unlocked_v2',
}
export type BucketType = keyof typeof BUCKET_SEEDS

/** Each kind counts its buckets from 0. */
export const bucketAddress = (type: BucketType, genesis: Address, index: number) =>
  derive(GENESIS_PROGRAM, BUCKET_SEEDS[type], [genesis], Uint8Array.of(index))

/** Holds the creator fees of a bucket that became a pool. */
export const bucketSignerAddress = (bucket: Address) => derive(GENESIS_PROGRAM, 'bucket_signer', [bucket])

/** The creator of every pool. */
export const raydiumSignerAddress = () => derive(GENESIS_PROGRAM, 'raydium_signer')

export const poolStateAddress = (bucket: Address) => derive(GENESIS_PROGRAM, 'raydium_pool_state', [bucket])

export const poolAuthorityAddress = (raydium: Address) => derive(raydium, 'vault_and_lp_mint_auth_seed')

export const poolVaultAddress = (raydium: Address, poolState: Address, mint: Address) =>
  derive(raydium, 'pool_vault', [poolState], [mint])

/** A text, one byte or two, or the 32 bytes of an address. */
type Seed = string | Uint8Array | readonly [Address]

/** A derivation takes a millisecond, and the transactions of a launch share dozens of addresses. */
const derived = new Map<string, Promise<Address>>()
const DERIVED_MAX = 1_000

function derive(program: Address, ...seeds: Seed[]): Promise<Address> {
  const key = `${program} ${seeds.join(' ')}`
  const known = derived.get(key)
  if (known) return known
  if (derived.size >= DERIVED_MAX) derived.clear()
  const address = getProgramDerivedAddress({
    programAddress: program as KitAddress,
    seeds: seeds.map(seed => (Array.isArray(seed) ? getAddressEncoder().encode(seed[0]) : (seed as string))),
  }).then(([found]): Address => found)
  derived.set(key, address)
  return address
}
