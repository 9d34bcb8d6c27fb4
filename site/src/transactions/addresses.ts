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
export const agentWalletAddress = (asset: Address) => derive(CORE_PROGRAM, 'mpl-core-execute', bytes(asset))

export const identityAddress = (asset: Address) => derive(IDENTITY_PROGRAM, 'agent_identity', bytes(asset))

export const tokenMetadataAddress = (mint: Address) =>
  derive(TOKEN_METADATA_PROGRAM, 'metadata', bytes(TOKEN_METADATA_PROGRAM), bytes(mint))

/** The token account that belongs to `owner`. */
export const tokenAccountAddress = (mint: Address, owner: Address, tokenProgram: Address) =>
  derive(ASSOCIATED_TOKEN_PROGRAM, bytes(owner), bytes(tokenProgram), bytes(mint))

/** The first launch of a token. */
export const genesisAddress = (mint: Address) =>
  derive(GENESIS_PROGRAM, 'genesis_v2', bytes(mint), Uint8Array.of(0, 0))

const BUCKET_SEEDS = {
  launchpoolV2: 'launch_pool_v2',
  bondingCurveV2: 'bonding_curve_v2',
  raydiumV2: 'raydium_cpmm_v2',
  unlockedV2: 'unlocked_v2',
}
export type BucketType = keyof typeof BUCKET_SEEDS

/** Each kind counts its buckets from 0. */
export const bucketAddress = (type: BucketType, genesis: Address, index: number) =>
  derive(GENESIS_PROGRAM, BUCKET_SEEDS[type], bytes(genesis), Uint8Array.of(index))

/** Holds the creator fees of a bucket that became a pool. */
export const bucketSignerAddress = (bucket: Address) =>
  derive(GENESIS_PROGRAM, 'bucket_signer', bytes(bucket))

/** The creator of every pool. */
export const raydiumSignerAddress = () => derive(GENESIS_PROGRAM, 'raydium_signer')

export const poolStateAddress = (bucket: Address) =>
  derive(GENESIS_PROGRAM, 'raydium_pool_state', bytes(bucket))

export const poolAuthorityAddress = (raydium: Address) => derive(raydium, 'vault_and_lp_mint_auth_seed')

export const poolVaultAddress = (raydium: Address, poolState: Address, mint: Address) =>
  derive(raydium, 'pool_vault', bytes(poolState), bytes(mint))

const bytes = (address: Address) => getAddressEncoder().encode(address as KitAddress)

async function derive(program: Address, ...seeds: Parameters<typeof getProgramDerivedAddress>[0]['seeds']) {
  const [address] = await getProgramDerivedAddress({ programAddress: program as KitAddress, seeds })
  return address as Address
}
