import type { AccountChanges } from '../ledger/account.ts'
import type { Chain } from '../ledger/create-chain.ts'
import type { Keypair } from '../ledger/keypair.ts'
import { parseTransaction } from '../ledger/parse-transaction.ts'
import { signTransaction } from '../ledger/sign-transaction.ts'
import type { InnerInstruction } from '../programs/stand-in.ts'

/** Signs and lands a transaction in this process, with accounts that change along with it; a failure throws. */
export function submit(
  chain: Chain,
  signers: readonly [Keypair, ...Keypair[]],
  instructions: readonly InnerInstruction[],
  also: AccountChanges = new Map(),
): void {
  const blockhash = chain.clock.blockhash(chain.clock.slot())
  const tx = parseTransaction(signTransaction(signers, instructions, blockhash))
  const { err, logs } = chain.submitWith(tx, also)
  if (err !== null)
    throw new Error(`a transaction of the demo failed: ${JSON.stringify(err)}\n${logs.join('\n')}`)
}
