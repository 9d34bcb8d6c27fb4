import type { Address } from '@solana/kit'
import { encodeLegacyMessage } from './compile-message.ts'
import {
  COMPUTE_BUDGET,
  encodeBudget,
  REQUEST_HEAP,
  SET_LOADED_DATA_LIMIT,
  SET_UNIT_LIMIT,
  UNITS_MAX,
} from './fee.ts'
import type { WireTransaction } from './parse-transaction.ts'
import type { VmResult, VmTransaction } from './vm.ts'

/** What a compute-budget instruction costs. */
const BUDGET_UNITS = 150
/** The program that is called by them counts as loaded, with its 22 bytes. */
const BUDGET_BYTES = 64 + 22

/**
 * A transaction as LiteSVM 1.4 takes it. It doesn't know version 1, so it gets the same instructions as a legacy
 * transaction. The limits of the header
 * follow as compute-budget instructions, at the end, so that the indexes of the others stay. The units that they cost
 * are added to the limit: whatever the others use above their limit is missing for these, and the transaction fails.
 * The caller takes the priority fee.
 */
export function forVm(tx: WireTransaction): VmTransaction {
  const { version, message: given, signatures, readonlySigners, staticKeys, instructions } = tx
  if (version !== 1) return { version, message: given, signatures }
  const budget = budgetData(tx)
  const known = staticKeys.indexOf(COMPUTE_BUDGET as Address)
  const isNew = known < 0 && budget.length > 0
  const message = encodeLegacyMessage({
    header: [tx.signers, readonlySigners, tx.readonlyNonSigners + (isNew ? 1 : 0)],
    keys: isNew ? [...staticKeys, COMPUTE_BUDGET as Address] : staticKeys,
    blockhash: tx.blockhash,
    instructions: [
      ...instructions,
      ...budget.map(data => ({ programIndex: isNew ? staticKeys.length : known, accounts: [], data })),
    ],
  })
  return { message, signatures, version: 'legacy' }
}

function budgetData({ config, instructions }: WireTransaction): Uint8Array[] {
  if (!config || instructions.length === 0) return []
  const { computeUnitLimit, loadedAccountsDataSizeLimit, heapSize } = config
  const others = [
    // The VM refuses a limit of 0. One byte is less than any account takes.
    encodeBudget(
      SET_LOADED_DATA_LIMIT,
      loadedAccountsDataSizeLimit ? loadedAccountsDataSizeLimit + BUDGET_BYTES : 1,
    ),
    ...(heapSize === null ? [] : [encodeBudget(REQUEST_HEAP, heapSize)]),
  ]
  const units = Math.min(computeUnitLimit ?? 0, Number(UNITS_MAX))
  return [encodeBudget(SET_UNIT_LIMIT, units && units + BUDGET_UNITS * (1 + others.length)), ...others]
}

/** The result without the instructions that were added. */
export function withoutBudget<Result extends VmResult>(tx: WireTransaction, result: Result): Result {
  if (tx.version !== 1) return result
  const count = tx.instructions.length
  const { err, logs, unitsConsumed } = result
  const failedAt =
    typeof err === 'object' && err && 'InstructionError' in err ? err.InstructionError[0] : undefined
  const added = logs.indexOf(`Program ${COMPUTE_BUDGET} invoke [1]`)
  return {
    ...result,
    ...(failedAt !== undefined &&
      failedAt >= count && { err: { InstructionError: [count - 1, 'ComputationalBudgetExceeded'] } }),
    logs: added < 0 ? logs : logs.slice(0, added),
    unitsConsumed: err === null ? unitsConsumed - BUDGET_UNITS * budgetData(tx).length : unitsConsumed,
    inner: result.inner.slice(0, count),
  }
}
