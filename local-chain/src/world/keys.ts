import { createHash } from 'node:crypto'
import type { Chain } from '../ledger/create-chain.ts'
import { createKeypair, type Keypair } from '../ledger/keypair.ts'

export type { RaydiumEnvironment } from '@slipway/launch-model/programs'

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
