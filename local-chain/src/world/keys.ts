import { createHash } from 'node:crypto'
import type { Chain } from '../ledger/create-chain.ts'
import { createKeypair, type Keypair } from '../ledger/keypair.ts'

/** Made once for each chain: a key costs a millisecond, and the world asks for the same ones again and again. */
const made = new WeakMap<Uint8Array, Map<string, Keypair>>()

/**
 * A throw-away key of the demo. It follows from the chain's seed and a label, so that a world whose making was cut
 * short is continued with the same keys, and every start can list them again.
 */
export function worldKey({ seed }: Pick<Chain, 'seed'>, label: string): Keypair {
  const keys = made.get(seed) ?? new Map<string, Keypair>()
  made.set(seed, keys)
  const known = keys.get(label)
  if (known) return known
  const key = createKeypair(createHash('sha256').update('demo').update(seed).update(label).digest())
  keys.set(label, key)
  return key
}
