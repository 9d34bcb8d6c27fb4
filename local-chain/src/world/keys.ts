import { createHash } from 'node:crypto'
import type { Chain } from '../ledger/create-chain.ts'
import { createKeypair, type Keypair } from '../ledger/keypair.ts'

/**
 * A throw-away key of the demo. It follows from the chain's seed and a label, so that a world whose making was cut
 * short is continued with the same keys, and every start can list them again.
 */
export function worldKey(chain: Pick<Chain, 'seed'>, label: string): Keypair {
  return createKeypair(createHash('sha256').update('demo').update(chain.seed).update(label).digest())
}
