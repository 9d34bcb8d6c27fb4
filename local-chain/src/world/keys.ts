import { createHash } from 'node:crypto'
import { deriveRaydiumPDAsV2, type RaydiumPoolAccountsV2 } from '@metaplex-foundation/genesis'
import type { Address } from '@solana/kit'
import type { Chain } from '../ledger/create-chain.ts'
import { createKeypair, type Keypair } from '../ledger/keypair.ts'
import { memoize } from '../memoize.ts'
import { asKey } from '../programs/genesis/checks.ts'
import { umi } from '../programs/umi-context.ts'

/** Cached by chain: creating a key takes a millisecond, and the world uses the same ones repeatedly. */
const cache = new WeakMap<Uint8Array, Map<string, Keypair>>()

/**
 * A throw-away key of the demo, derived from the chain's seed and a label, so that every start has the same keys, even
 * after an interrupted one.
 */
export function worldKey({ seed }: Pick<Chain, 'seed'>, label: string): Keypair {
  const keys = cache.get(seed) ?? new Map<string, Keypair>()
  cache.set(seed, keys)
  const known = keys.get(label)
  if (known) return known
  const key = createKeypair(createHash('sha256').update('demo').update(seed).update(label).digest())
  keys.set(label, key)
  return key
}

/** A trader of the demo, by number. */
export const traderKey = (chain: Pick<Chain, 'seed'>, number: number): Keypair =>
  worldKey(chain, `trader:${number}`)

export type RaydiumEnvironment = 'mainnet' | 'devnet'

type PoolKeys = RaydiumPoolAccountsV2 &
  Record<'raydiumProgram' | 'poolAuthority' | 'quoteVault' | 'baseVault', Address>

/**
 * The accounts of the pool that a launch graduates to. Cached, because deriving them takes longer than a whole trade.
 */
export function poolKeys(mint: Address, amm: Address, environment: RaydiumEnvironment): PoolKeys {
  return derive(`${mint} ${amm} ${environment}`)
}

const derive = memoize(1_000, (name: string): PoolKeys => {
  const [mint, amm, env] = name.split(' ') as [Address, Address, RaydiumEnvironment]
  const keys = deriveRaydiumPDAsV2(umi, asKey(mint), asKey(amm), { creatorFee: true, env })
  return keys as unknown as PoolKeys
})
