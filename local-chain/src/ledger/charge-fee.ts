import { type Address, getCompiledTransactionMessageEncoder } from '@solana/kit'
import { budgetOf, COMPUTE_BUDGET, encodeUnitLimit, SET_UNIT_LIMIT, unitLimitOf } from './fee.ts'
import type { WireTransaction } from './parse-transaction.ts'
import type { TransactionError } from './transaction-error.ts'
import type { Vm } from './vm.ts'

/** Lets the VM charge the fee: runs a transaction with the same payer, signers and compute budget and nothing else. */
export function chargeFee(vm: Vm, tx: WireTransaction): TransactionError | null {
  const budget = budgetOf(tx).map(ix => ix.data)
  const keep = tx.staticKeys.slice(0, tx.signers)
  if (budget.length > 0) {
    keep.push(COMPUTE_BUDGET as Address)
    // The default limit depends on the instructions, which are left out here, so it is set explicitly.
    if (!budget.some(data => data[0] === SET_UNIT_LIMIT)) budget.push(encodeUnitLimit(unitLimitOf(tx)))
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
