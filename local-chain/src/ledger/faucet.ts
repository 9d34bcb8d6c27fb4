import { createHash } from 'node:crypto'
import type { Address } from '@solana/kit'
import type { Chain } from './create-chain.ts'
import type { Execution } from './execution.ts'
import { createKeypair, createTransaction } from './keypair.ts'
import { systemTransfer } from './system-instructions.ts'

const FILL_LAMPORTS = 500_000_000_000_000_000n

/** Airdrops lamports by ordinary transfers, so that each airdrop has a signature to confirm. */
export function createFaucet(chain: Chain) {
  const key = createKeypair(createHash('sha256').update('faucet').update(chain.seed).digest())
  let nonce = 0n
  return {
    airdrop(to: Address, lamports: bigint): { signature: string; execution: Execution } {
      const left = chain.account(key.address)?.lamports ?? 0n
      // Refilled to a fixed balance: requests for more than that must not make it grow.
      if (left < lamports + 1_000_000_000n) chain.mint(key.address, FILL_LAMPORTS - left)
      // The second transfer differs each time, so that two equal airdrops in one slot are two transactions.
      nonce++
      const tx = createTransaction(
        [key],
        [systemTransfer(key.address, to, lamports), systemTransfer(key.address, key.address, nonce)],
        chain.clock.blockhash(chain.clock.slot()),
      )
      return { signature: tx.signature, execution: chain.submit(tx) }
    },
  }
}
