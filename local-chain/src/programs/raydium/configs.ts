import {
  RAYDIUM_AMM_CONFIG_CREATOR_FEE_DEVNET,
  RAYDIUM_AMM_CONFIG_CREATOR_FEE_MAINNET,
  RAYDIUM_AMM_CONFIG_DEVNET,
  RAYDIUM_AMM_CONFIG_MAINNET,
  RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET,
  RAYDIUM_CP_SWAP_PROGRAM_ID_MAINNET,
} from '@metaplex-foundation/genesis'
import { encode } from '@slipway/launch-model/bytes/codec'
import { poolConfigLayout } from '@slipway/launch-model/pool-state'
import type { Address } from '@solana/kit'
import type { ChainAccount } from '../../ledger/account.ts'

/** In millionths, as published: 32 % (16 %) of the trade fee go to Raydium, and the rest goes to the pool. */
const WITH_CREATOR_FEE = { tradeFeeRate: 2_500n, protocolFeeRate: 240_000n, creatorFeeRate: 10_000n }
const WITHOUT_CREATOR_FEE = { tradeFeeRate: 5_000n, protocolFeeRate: 120_000n, creatorFeeRate: 0n }
const FUND_SHARES = { with: 80_000n, without: 40_000n }

export const RAYDIUM_MAINNET = RAYDIUM_CP_SWAP_PROGRAM_ID_MAINNET as string as Address
export const RAYDIUM_DEVNET = RAYDIUM_CP_SWAP_PROGRAM_ID_DEVNET as string as Address

const ADDRESSES = {
  [RAYDIUM_MAINNET]: [RAYDIUM_AMM_CONFIG_CREATOR_FEE_MAINNET, RAYDIUM_AMM_CONFIG_MAINNET],
  [RAYDIUM_DEVNET]: [RAYDIUM_AMM_CONFIG_CREATOR_FEE_DEVNET, RAYDIUM_AMM_CONFIG_DEVNET],
} as Record<Address, [string, string]>

/** The configurations of pools that Genesis creates. Raydium's administrators created them on the real chains. */
export function poolConfigs(program: Address): Map<Address, ChainAccount> {
  const [withCreator, without] = ADDRESSES[program] ?? []
  const accounts = new Map<Address, ChainAccount>()
  if (withCreator) accounts.set(withCreator as Address, config(program, WITH_CREATOR_FEE, FUND_SHARES.with))
  if (without) accounts.set(without as Address, config(program, WITHOUT_CREATOR_FEE, FUND_SHARES.without))
  return accounts
}

const LAMPORTS = 2_533_440n

const config = (owner: Address, rates: typeof WITH_CREATOR_FEE, fundFeeRate: bigint): ChainAccount => ({
  lamports: LAMPORTS,
  owner,
  executable: false,
  data: encode(poolConfigLayout, {
    bump: 255,
    isClosedForPools: false,
    index: 0,
    ...rates,
    fundFeeRate,
    createPoolFee: 150_000_000n,
    protocolOwner: undefined,
    fundOwner: undefined,
  }),
})
