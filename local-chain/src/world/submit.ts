import type { Address } from '@solana/kit'
import type { AccountChanges } from '../ledger/account.ts'
import type { Chain } from '../ledger/create-chain.ts'
import type { Keypair } from '../ledger/keypair.ts'
import { parseTransaction } from '../ledger/parse-transaction.ts'
import { signTransaction } from '../ledger/sign-transaction.ts'
import type { InnerInstruction } from '../programs/stand-in.ts'

/**
 * Signs and lands a transaction in this process, with accounts that change along with it; a failure throws. The first
 * instruction names these accounts and the program whose they are, as one of that program would: so the transaction is
 * part of the history of all of them.
 */
export function submit(
  chain: Chain,
  signers: readonly [Keypair, ...Keypair[]],
  [first, ...rest]: readonly [InnerInstruction, ...InnerInstruction[]],
  { also, named }: { also: AccountChanges; named: readonly Address[] },
): void {
  const mentioned = [
    ...[...also.keys()].map(address => ({ address, isSigner: false, isWritable: true })),
    ...named.map(address => ({ address, isSigner: false, isWritable: false })),
  ]
  const instructions = [{ ...first, accounts: [...first.accounts, ...mentioned] }, ...rest]
  const blockhash = chain.clock.blockhash(chain.clock.slot())
  const tx = parseTransaction(signTransaction(signers, instructions, blockhash))
  const { err, logs } = chain.submitWith(tx, also)
  if (err !== null)
    throw new Error(`a transaction of the demo failed: ${JSON.stringify(err)}\n${logs.join('\n')}`)
}
