import type { Address } from '@solana/kit'
import {
  type AccountRef,
  type Instruction,
  type Invocation,
  ProgramError,
  type StandIn,
} from '../programs/stand-in.ts'
import { type ChainAccount, sameAccount } from './account.ts'
import { type Execution, type ResolvedKeys, refused, resolveKeys } from './execution.ts'
import { budgetOf, COMPUTE_BUDGET, chargeFee, takePriorityFee } from './fee.ts'
import type { WireTransaction } from './parse-transaction.ts'
import { describeInstructionError, type TransactionError } from './transaction-error.ts'
import { forVm, withoutBudget } from './version-1.ts'
import type { CompiledInnerInstruction, Vm } from './vm.ts'
import {
  createRunLog,
  createUndo,
  createVmQueue,
  findRentViolation,
  Halt,
  type HaltReason,
  type InnerInstruction,
  type RunLog,
  type Undo,
  type VmQueue,
} from './vm-queue.ts'

type Executor = (tx: WireTransaction, mode: 'commit' | 'simulate') => Execution

/** Runs transactions whose signatures and blockhash have already been checked. */
export function createExecutor(
  vm: Vm,
  standIns: ReadonlyMap<Address, StandIn>,
  read: (address: Address) => ChainAccount | undefined,
): Executor {
  return (tx, mode) => {
    const keys = resolveKeys(tx, read)
    if ('error' in keys) return refused(keys.error)
    const isStandIn = (at: number) => standIns.has(keys.keys[at] as Address)
    // A stand-in has no account in the VM: lamports that are sent to its address would create one.
    const isWritable = (at: number) => keys.isWritable(at) && !isStandIn(at)
    // In version 1, compute-budget instructions do nothing. The VM would obey them.
    const ignoresBudget = tx.config !== undefined && budgetOf(tx).length > 0
    if (ignoresBudget || tx.instructions.some(ix => isStandIn(ix.programIndex)))
      return runWithStandIns(vm, standIns, tx, { ...keys, isWritable }, mode)
    const writesStandIn = keys.keys.some((_, at) => isStandIn(at) && keys.isWritable(at))
    return writesStandIn ? refused('InvalidWritableAccount') : runOnVm(vm, tx, keys, mode)
  }
}

function runOnVm(vm: Vm, tx: WireTransaction, keys: ResolvedKeys, mode: 'commit' | 'simulate'): Execution {
  const named = [...keys.keys, ...tx.lookups.map(lookup => lookup.table)]
  const payer = keys.keys[0] as Address
  const beforeFee = vm.read(payer)
  const unpaid = takePriorityFee(vm, tx)
  if (unpaid) return refused(unpaid)
  if (mode === 'simulate') {
    const result = withoutBudget(tx, vm.simulate(forVm(tx), named))
    if (tx.config?.priorityFee) vm.write(payer, beforeFee)
    return { ...result, keys, landed: false }
  }
  const before = vm.read(payer)?.lamports
  const result = withoutBudget(tx, vm.send(forVm(tx), named))
  const accounts = new Map<Address, ChainAccount | undefined>()
  keys.keys.forEach((address, at) => {
    if (keys.isWritable(at)) accounts.set(address, vm.read(address))
  })
  // A transaction that cannot pay its fee or load its accounts is not charged and never gets into a block.
  const landed = result.err === null || vm.read(payer)?.lamports !== before
  if (landed) return { ...result, accounts, keys, landed }
  vm.write(payer, beforeFee)
  return refused(result.err ?? 'AccountNotFound')
}

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

// Within a factor of two of what the real programs use. Callers rely only on a value above zero.
const STAND_IN_UNITS = 15_000
const STACK_HEIGHT_MAX = 5

/** Calls programs on behalf of one transaction, nested calls included. */
export function createCallStack({
  vm,
  standIns,
  exists,
  undo,
  log,
  inner,
  queue,
}: {
  vm: Vm
  standIns: ReadonlyMap<Address, StandIn>
  exists(program: Address): boolean
  undo: Undo
  log: RunLog
  /** Nested instructions are added here, by the index of their outer instruction. */
  inner: InnerInstruction[][]
  /** Runs instructions of programs without a stand-in. */
  queue: VmQueue
}): { call(instruction: Instruction, outer: number): void; unitsConsumed(): number } {
  const stack: Address[] = []
  let unitsConsumed = 0

  function call(instruction: Instruction, outer: number): void {
    const { program } = instruction
    const depth = stack.length
    if (depth >= STACK_HEIGHT_MAX) throw new ProgramError('CallDepth')
    // A program may call itself, but not through another program.
    if (stack.includes(program) && stack.at(-1) !== program) throw new ProgramError('ReentrancyNotAllowed')
    const entry = depth === 0 ? undefined : toInnerInstruction(instruction, depth + 1)
    if (entry) inner[outer]?.push(entry)
    const standIn = standIns.get(program)
    if (!standIn) {
      queue.add({ instruction, outer, depth, entry })
      return
    }

    log.add(`Program ${program} invoke [${depth + 1}]`)
    unitsConsumed += STAND_IN_UNITS
    stack.push(program)
    try {
      standIn.process(invocation(instruction, outer))
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error
      if (error.message && typeof error.error === 'object') log.add(`Program log: ${error.message}`)
      log.add(`Program ${program} failed: ${describeInstructionError(error.error)}`)
      throw error
    } finally {
      stack.pop()
    }
    log.add(`Program ${program} success`)
  }

  const invocation = (instruction: Instruction, outer: number): Invocation => ({
    accounts: instruction.accounts,
    data: instruction.data,
    read(address) {
      if (queue.writes(address)) queue.flush()
      return vm.read(address)
    },
    write(address, account) {
      queue.flush()
      const was = vm.read(address)
      if (sameAccount(was, account)) return
      if (!instruction.accounts.some(ref => ref.address === address && ref.isWritable)) {
        const paid = was?.lamports !== account?.lamports
        throw new ProgramError(paid ? 'ReadonlyLamportChange' : 'ReadonlyDataModified')
      }
      undo.save(address)
      vm.write(address, account)
    },
    invoke(next, derivedSigners = []) {
      assertPrivileges(instruction.accounts, next.accounts, derivedSigners, log.add)
      if (!exists(next.program)) throw new ProgramError('UnsupportedProgramId')
      call(next, outer)
    },
    log: message => log.add(`Program log: ${message}`),
    rentExemptMinimum: vm.rentExemptMinimum,
  })

  return { call, unitsConsumed: () => unitsConsumed }
}

const toInnerInstruction = (
  { program, accounts, data }: Instruction,
  stackHeight: number,
): InnerInstruction => ({
  program,
  accounts: accounts.map(ref => ref.address),
  data,
  stackHeight,
})

/**
 * A program can pass on only the privileges that it has: an invoked instruction may write only what the program may
 * write, and its signers must have signed for the program or be addresses derived from it.
 */
function assertPrivileges(
  given: readonly AccountRef[],
  passed: readonly AccountRef[],
  derived: readonly Address[],
  log: (line: string) => void,
): void {
  for (const { address, isSigner, isWritable } of passed) {
    const known = given.filter(ref => ref.address === address)
    if (known.length === 0) {
      log(`Instruction references an unknown account ${address}`)
      throw new ProgramError('MissingAccount')
    }
    if (isWritable && !known.some(ref => ref.isWritable)) {
      log(`${address}'s writable privilege escalated`)
      throw new ProgramError('PrivilegeEscalation')
    }
    if (isSigner && !known.some(ref => ref.isSigner) && !derived.includes(address)) {
      log(`${address}'s signer privilege escalated`)
      throw new ProgramError('PrivilegeEscalation')
    }
  }
}
