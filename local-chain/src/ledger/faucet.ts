import { createHash } from 'node:crypto'
import type { Address } from '@solana/kit'
import type { Chain } from './create-chain.ts'
import type { Execution } from './execution.ts'
import { createKeypair } from './keypair.ts'
import { parseTransaction } from './parse-transaction.ts'
import { signTransaction } from './sign-transaction.ts'
import { systemTransfer } from './system-instructions.ts'

const FILL_LAMPORTS = 500_000_000_000_000_000n

/** Gives lamports away by ordinary transfers, so that an airdrop has a signature to confirm. */
export function createFaucet(chain: Chain) {
  const key = createKeypair(createHash('sha256').update('faucet').update(chain.seed).digest())
  let nonce = 0n
  return {
    airdrop(to: Address, lamports: bigint): { signature: string; execution: Execution } {
      const left = chain.account(key.address)?.lamports ?? 0n
      // Filled up, never over: who asks for more than it can ever hold does not make it hold more.
      if (left < lamports + 1_000_000_000n) chain.mint(key.address, FILL_LAMPORTS - left)
      // A transfer to itself of another amount each time: two airdrops in one slot are two transactions.
      nonce++
      const wire = signTransaction(
        [key],
        [systemTransfer(key.address, to, lamports), systemTransfer(key.address, key.address, nonce)],
        chain.clock.blockhash(chain.clock.slot()),
      )
      const tx = parseTransaction(wire)
      return { signature: tx.signature, execution: chain.submit(tx) }
    },
  }
}
