import { type Address, getCompiledTransactionMessageEncoder } from '@solana/kit'
import type { WireTransaction } from './parse-transaction.ts'
import type { TransactionError } from './transaction-error.ts'
import type { Vm } from './vm.ts'

const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'

/** Lets the machine itself charge the fee: the same payer, signers and compute budget, and nothing else to do. */
export function takeFee(vm: Vm, tx: WireTransaction): TransactionError | null {
  const budget = tx.instructions.filter(ix => tx.staticKeys[ix.programIndex] === COMPUTE_BUDGET)
  const keep = tx.staticKeys.slice(0, tx.signers)
  if (budget.length > 0) keep.push(COMPUTE_BUDGET as Address)
  const message = getCompiledTransactionMessageEncoder().encode({
    version: 'legacy',
    header: {
      numSignerAccounts: tx.signers,
      numReadonlySignerAccounts: tx.readonlySigners,
      numReadonlyNonSignerAccounts: keep.length - tx.signers,
    },
    staticAccounts: keep,
    lifetimeToken: tx.blockhash,
    instructions: budget.map(ix => ({
      programAddressIndex: keep.length - 1,
      accountIndices: [],
      data: ix.data,
    })),
  } as Parameters<ReturnType<typeof getCompiledTransactionMessageEncoder>['encode']>[0])
  const signatures = Object.fromEntries(keep.slice(0, tx.signers).map(key => [key, new Uint8Array(64)]))
  return vm.send(new Uint8Array(message), signatures, keep).err
}
