import type { Address } from '@solana/kit'
import { type AccountRef, ProgramError, type StandIn } from '../programs/stand-in.ts'
import type { ChainAccount } from './account.ts'
import { createCallStack } from './call-stack.ts'
import { type Execution, refused } from './execution.ts'
import { COMPUTE_BUDGET, chargeFee } from './fee.ts'
import { Halt, type HaltReason } from './halt.ts'
import type { WireTransaction } from './parse-transaction.ts'
import { findRentViolation } from './rent.ts'
import type { ResolvedKeys } from './resolve-keys.ts'
import { createRunLog, type RunLog } from './run-log.ts'
import { describeInstructionError, type TransactionError } from './transaction-error.ts'
import { createUndo } from './undo.ts'
import type { CompiledInnerInstruction, Vm } from './vm.ts'
import type { InnerInstruction } from './vm-batch.ts'
import { createVmQueue } from './vm-queue.ts'

/**
 * Runs a transaction that calls stand-ins. Its instructions run one after another: those for a stand-in in JavaScript,
 * all others in the VM. Every account is saved before its first change, and a failure or a simulation restores them.
 */
export function runWithStandIns(
  vm: Vm,
  standIns: ReadonlyMap<Address, StandIn>,
  tx: WireTransaction,
  keys: ResolvedKeys,
  mode: 'commit' | 'simulate',
): Execution {
  const exists = (program: Address) => standIns.has(program) || vm.isProgram(program)
  const programs = tx.instructions.map(ix => keys.keys[ix.programIndex] as Address)
  if (!programs.every(exists)) return refused('ProgramAccountNotFound')

  const { unitsMax, loadedBytesMax } = limitsOf(tx)
  const loadedBytes = keys.keys.reduce((sum, key) => sum + LOADED_BYTES + (vm.read(key)?.data.length ?? 0), 0)
  if (loadedBytes > loadedBytesMax) return refused('MaxLoadedAccountsDataSizeExceeded')

  const feePayer = keys.keys[0] as Address
  const beforeFee = vm.read(feePayer)
  const unpaid = chargeFee(vm, tx)
  if (unpaid !== null) {
    // A payer that cannot pay the whole fee pays nothing.
    vm.write(feePayer, beforeFee)
    return refused(unpaid)
  }

  const undo = createUndo(vm)
  const log = createRunLog()
  const inner: InnerInstruction[][] = tx.instructions.map(() => [])
  const queue = createVmQueue(vm, { undo, log, inner })
  const calls = createCallStack({ vm, standIns, exists, undo, log, inner, queue })

  function runAll(): void {
    tx.instructions.forEach((ix, outer) => {
      const program = programs[outer] as Address
      // Applied when the fee was charged. Each batch of the VM has a limit of its own.
      if ((program as string) === COMPUTE_BUDGET) {
        logBudget(log, program)
        return
      }
      const accounts = ix.accounts.map(at => refAt(keys, at))
      try {
        calls.call({ program, accounts, data: ix.data }, outer)
      } catch (error) {
        if (!(error instanceof ProgramError)) throw error
        // The queued instructions come before this failure, and may fail themselves.
        queue.flush()
        throw new Halt({ outer, error: error.error })
      }
      assertUnits(outer)
    })
    queue.flush()
    assertUnits(tx.instructions.length - 1)
    const account = findRentViolation(vm, undo.before, keys)
    if (account !== undefined)
      throw new Halt({ whole: { InsufficientFundsForRent: { account_index: account } } })
  }

  const unitsConsumed = () => calls.unitsConsumed() + queue.unitsConsumed()
  function assertUnits(outer: number): void {
    if (unitsConsumed() > unitsMax) throw new Halt({ outer, error: 'ComputationalBudgetExceeded' })
  }

  let err: TransactionError | null = null
  try {
    runAll()
  } catch (error) {
    undo.restore()
    if (!(error instanceof Halt)) {
      vm.write(feePayer, beforeFee)
      throw error
    }
    const { reason, lines } = error
    err = toError(reason, keys)
    if (lines) {
      // Later lines belong to instructions that never ran.
      log.truncateAfter(lines)
      const program = 'outer' in reason ? programs[reason.outer] : undefined
      if ('outer' in reason && program && standIns.has(program))
        log.add(`Program ${program} failed: ${describeInstructionError(reason.error)}`)
    }
  }

  const accounts = new Map<Address, ChainAccount | undefined>()
  if (mode === 'commit' || !err) {
    keys.keys.forEach((address, at) => {
      if (keys.isWritable(at)) accounts.set(address, vm.read(address))
    })
  }
  if (mode === 'simulate') {
    undo.restore()
    vm.write(feePayer, beforeFee)
  }
  const at = new Map(keys.keys.map((key, index) => [key, index]))
  return {
    err,
    logs: log.lines(),
    unitsConsumed: unitsConsumed(),
    inner: inner.map(list => list.map(entry => compile(entry, at))),
    returnData: null,
    accounts,
    keys,
    landed: true,
  }
}

/** What counts for each account besides its data. */
const LOADED_BYTES = 64

/** The limits in the header of version 1. Those of other transactions are meant for the real programs. */
function limitsOf({ config }: WireTransaction): { unitsMax: number; loadedBytesMax: number } {
  if (!config) return { unitsMax: Number.POSITIVE_INFINITY, loadedBytesMax: Number.POSITIVE_INFINITY }
  return { unitsMax: config.computeUnitLimit ?? 0, loadedBytesMax: config.loadedAccountsDataSizeLimit ?? 0 }
}

function toError(reason: HaltReason, keys: ResolvedKeys): TransactionError {
  if ('outer' in reason) return { InstructionError: [reason.outer, reason.error] }
  return reason.account === undefined
    ? reason.whole
    : { InsufficientFundsForRent: { account_index: keys.keys.indexOf(reason.account) } }
}

function logBudget(log: RunLog, program: Address): void {
  log.add(`Program ${program} invoke [1]`)
  log.add(`Program ${program} success`)
}

const refAt = (keys: ResolvedKeys, at: number): AccountRef => ({
  address: keys.keys[at] as Address,
  isSigner: keys.isSigner(at),
  isWritable: keys.isWritable(at),
})

const compile = (entry: InnerInstruction, at: ReadonlyMap<Address, number>): CompiledInnerInstruction => ({
  programIndex: at.get(entry.program) ?? 0,
  accounts: entry.accounts.map(address => at.get(address) ?? 0),
  data: entry.data,
  stackHeight: entry.stackHeight,
})
