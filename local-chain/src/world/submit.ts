import type { Address } from '@solana/kit'
import type { AccountChanges } from '../ledger/account.ts'
import type { Chain } from '../ledger/create-chain.ts'
import { createTransaction, type Keypair } from '../ledger/keypair.ts'
import type { TransactionVersion } from '../ledger/parse-transaction.ts'
import type { Instruction } from '../programs/stand-in.ts'

/** The version of the market's next transaction: all that the chain's conditions list, in turn. */
export const marketVersion = ({ conditions: { marketVersions }, history }: Chain): TransactionVersion =>
  marketVersions[history.count() % marketVersions.length] ?? 'legacy'

/**
 * Signs a transaction and commits it together with the account writes in `also`; throws if it fails. The first
 * instruction also names these accounts and those in `named`, so that the transaction is in the history of all of
 * them. `at` is when it happened, if not now.
 */
export function submit(
  chain: Chain,
  signers: readonly [Keypair, ...Keypair[]],
  [first, ...rest]: readonly [Instruction, ...Instruction[]],
  {
    also,
    named,
    at,
    version,
  }: { also: AccountChanges; named: readonly Address[]; at?: number; version?: TransactionVersion },
): void {
  const mentioned = [
    ...[...also.keys()].map(address => ({ address, isSigner: false, isWritable: true })),
    ...named.map(address => ({ address, isSigner: false, isWritable: false })),
  ]
  const instructions = [{ ...first, accounts: [...first.accounts, ...mentioned] }, ...rest]
  const blockhash = chain.clock.blockhash(chain.clock.slot())
  const tx = createTransaction(signers, instructions, blockhash, version)
  const { err, logs } = at === undefined ? chain.submit(tx, also) : chain.submitAt(tx, at, also)
  if (err !== null) throw new Error(`a demo transaction failed: ${JSON.stringify(err)}\n${logs.join('\n')}`)
}
