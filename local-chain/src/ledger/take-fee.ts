import { type Address, getCompiledTransactionMessageEncoder } from '@solana/kit'
import { budgetOf, COMPUTE_BUDGET, SET_UNIT_LIMIT, unitLimit, unitLimitOf } from './fee.ts'
import type { WireTransaction } from './parse-transaction.ts'
import type { TransactionError } from './transaction-error.ts'
import type { Vm } from './vm.ts'

/** Lets the machine itself charge the fee: the same payer, signers and compute budget, and nothing else to do. */
export function takeFee(vm: Vm, tx: WireTransaction): TransactionError | null {
  const budget = budgetOf(tx).map(ix => ix.data)
  const keep = tx.staticKeys.slice(0, tx.signers)
  if (budget.length > 0) {
    keep.push(COMPUTE_BUDGET as Address)
    // A limit that is not named follows from the instructions, which are not here.
    if (!budget.some(data => data[0] === SET_UNIT_LIMIT)) budget.push(unitLimit(unitLimitOf(tx)))
  }
  const message = getCompiledTransactionMessageEncoder().encode({
    version: 'legacy',
    header: {
      numSignerAccounts: tx.signers,
      numReadonlySignerAccounts: tx.readonlySigners,
      numReadonlyNonSignerAccounts: keep.length - tx.signers,
    },
    staticAccounts: keep,
    lifetimeToken: tx.blockhash,
    instructions: budget.map(data => ({
      programAddressIndex: keep.length - 1,
      accountIndices: [],
      data,
    })),
  } as Parameters<ReturnType<typeof getCompiledTransactionMessageEncoder>['encode']>[0])
  const signatures = Object.fromEntries(keep.slice(0, tx.signers).map(key => [key, new Uint8Array(64)]))
  return vm.send(new Uint8Array(message), signatures, keep).err
}
