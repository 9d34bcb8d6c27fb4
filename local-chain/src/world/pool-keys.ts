import { deriveRaydiumPDAsV2, type RaydiumPoolAccountsV2 } from '@metaplex-foundation/genesis'
import type { Address } from '@solana/kit'
import { memoize } from '../memoize.ts'
import { asKey } from '../programs/genesis/checks.ts'
import { umi } from '../programs/umi-context.ts'

export type RaydiumEnvironment = 'mainnet' | 'devnet'

type PoolKeys = Record<
  'raydiumProgram' | 'poolAuthority' | 'quoteVault' | 'baseVault' | 'token0Mint' | 'token1Mint',
  Address
> &
  Pick<RaydiumPoolAccountsV2, 'isProjectMintToken0'>

/** The accounts of the pool that a launch graduates to. Cached, because deriving them takes longer than a whole trade. */
export function poolKeys(mint: Address, amm: Address, environment: RaydiumEnvironment): PoolKeys {
  return derive(`${mint} ${amm} ${environment}`)
}

const derive = memoize(1_000, (name: string): PoolKeys => {
  const [mint, amm, env] = name.split(' ') as [Address, Address, RaydiumEnvironment]
  const keys = deriveRaydiumPDAsV2(umi, asKey(mint), asKey(amm), { creatorFee: true, env })
  return keys as unknown as PoolKeys
})
