import type { Address } from '@solana/kit'
import {
  type AccountRef,
  type InnerInstruction,
  type Invocation,
  ProgramError,
  type StandIn,
} from '../programs/stand-in.ts'
import { type ChainAccount, sameAccount } from './account.ts'
import { type Execution, refused } from './execution.ts'
import { Halt, type Stop } from './halt.ts'
import { createMachineQueue } from './machine-queue.ts'
import type { WireTransaction } from './parse-transaction.ts'
import { assertPrivileges } from './privileges.ts'
import { findShortOfRent } from './rent.ts'
import type { ResolvedKeys } from './resolve-keys.ts'
import { createRunLog } from './run-log.ts'
import { takeFee } from './take-fee.ts'
import { describeInstructionError, type TransactionError } from './transaction-error.ts'
import { createUndo } from './undo.ts'
import type { Vm, VmInstruction } from './vm.ts'
import type { DeepInstruction } from './vm-batch.ts'

// What the real programs use, within a factor of two; callers only see that it is not zero.
const STAND_IN_UNITS = 15_000
const STACK_HEIGHT_MAX = 5

/**
 * A transaction that calls programs we only stand in for. Its instructions run one after another, a stand-in's in
 * JavaScript, all others on the virtual machine. Every account is remembered before its first change; a failure, or a
 * simulation, puts all of them back.
 */
export function runWithStandIns(
  vm: Vm,
  standIns: ReadonlyMap<Address, StandIn>,
  tx: WireTransaction,
  keys: ResolvedKeys,
  mode: 'commit' | 'simulate',
): Execution {
  const exists = (program: Address) => standIns.has(program) || vm.read(program)?.executable === true
  const programs = tx.instructions.map(ix => keys.keys[ix.programIndex] as Address)
  if (!programs.every(exists)) return refused('ProgramAccountNotFound')

  const feePayer = keys.keys[0] as Address
  const beforeFee = vm.read(feePayer)
  const unpaid = takeFee(vm, tx)
  if (unpaid !== null) {
    // Who cannot pay is not charged for that either.
    vm.write(feePayer, beforeFee)
    return refused(unpaid)
  }

  const undo = createUndo(vm)
  const log = createRunLog()
  const inner: DeepInstruction[][] = tx.instructions.map(() => [])
  const machine = createMachineQueue(vm, { undo, log, inner })
  const stack: Address[] = []
  let standInUnits = 0

  function call(instruction: InnerInstruction, outer: number): void {
    const { program } = instruction
    const depth = stack.length
    if (depth >= STACK_HEIGHT_MAX) throw new ProgramError('CallDepth')
    // A program may call itself, but not through another.
    if (stack.includes(program) && stack.at(-1) !== program) throw new ProgramError('ReentrancyNotAllowed')
    const entry = depth === 0 ? undefined : deepInstruction(instruction, depth + 1)
    if (entry) inner[outer]?.push(entry)
    const standIn = standIns.get(program)
    if (!standIn) {
      machine.add({ instruction, outer, depth, entry })
      return
    }

    log.say(`Program ${program} invoke [${depth + 1}]`)
    standInUnits += STAND_IN_UNITS
    stack.push(program)
    try {
      standIn.process(invocation(instruction, outer))
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error
      if (error.message && typeof error.error === 'object') log.say(`Program log: ${error.message}`)
      log.say(`Program ${program} failed: ${describeInstructionError(error.error)}`)
      throw error
    } finally {
      stack.pop()
    }
    log.say(`Program ${program} success`)
  }

  const invocation = (instruction: InnerInstruction, outer: number): Invocation => ({
    accounts: instruction.accounts,
    data: instruction.data,
    read(address) {
      if (machine.writes(address)) machine.flush()
      return vm.read(address)
    },
    write(address, account) {
      machine.flush()
      const was = vm.read(address)
      if (sameAccount(was, account)) return
      if (!instruction.accounts.some(ref => ref.address === address && ref.isWritable)) {
        const paid = was?.lamports !== account?.lamports
        throw new ProgramError(paid ? 'ReadonlyLamportChange' : 'ReadonlyDataModified')
      }
      undo.remember(address)
      vm.write(address, account)
    },
    invoke(next, derivedSigners = []) {
      assertPrivileges(instruction.accounts, next.accounts, derivedSigners, log.say)
      if (!exists(next.program)) throw new ProgramError('UnsupportedProgramId')
      call(next, outer)
    },
    log: message => log.say(`Program log: ${message}`),
    rentExemptMinimum: vm.rentExemptMinimum,
  })

  function runAll(): void {
    tx.instructions.forEach((ix, outer) => {
      const accounts = ix.accounts.map(at => refAt(keys, at))
      try {
        call({ program: programs[outer] as Address, accounts, data: ix.data }, outer)
      } catch (error) {
        if (!(error instanceof ProgramError)) throw error
        throw new Halt({ outer, error: error.error })
      }
    })
    machine.flush()
    const account = findShortOfRent(vm, undo.before, keys)
    if (account !== undefined)
      throw new Halt({ whole: { InsufficientFundsForRent: { account_index: account } } })
  }

  let err: TransactionError | null = null
  try {
    runAll()
  } catch (error) {
    undo.putBack()
    if (!(error instanceof Halt)) {
      vm.write(feePayer, beforeFee)
      throw error
    }
    const { stop, lines } = error
    err = toError(stop, keys)
    if (lines) {
      // Nothing that was logged behind the failing line has happened.
      log.cutBehind(lines)
      const program = 'outer' in stop ? programs[stop.outer] : undefined
      if ('outer' in stop && program && standIns.has(program))
        log.say(`Program ${program} failed: ${describeInstructionError(stop.error)}`)
    }
  }

  const accounts = new Map<Address, ChainAccount | undefined>()
  if (mode === 'commit' || !err) {
    keys.keys.forEach((address, at) => {
      if (keys.isWritable(at)) accounts.set(address, vm.read(address))
    })
  }
  if (mode === 'simulate') {
    undo.putBack()
    vm.write(feePayer, beforeFee)
  }
  const at = new Map(keys.keys.map((key, index) => [key, index]))
  return {
    err,
    logs: log.lines(),
    unitsConsumed: standInUnits + machine.unitsConsumed(),
    inner: inner.map(list => list.map(entry => byIndex(entry, at))),
    returnData: null,
    accounts,
    keys,
    landed: true,
  }
}

function toError(stop: Stop, keys: ResolvedKeys): TransactionError {
  if ('outer' in stop) return { InstructionError: [stop.outer, stop.error] }
  return stop.account === undefined
    ? stop.whole
    : { InsufficientFundsForRent: { account_index: keys.keys.indexOf(stop.account) } }
}

const refAt = (keys: ResolvedKeys, at: number): AccountRef => ({
  address: keys.keys[at] as Address,
  isSigner: keys.isSigner(at),
  isWritable: keys.isWritable(at),
})

const deepInstruction = (
  { program, accounts, data }: InnerInstruction,
  stackHeight: number,
): DeepInstruction => ({
  program,
  accounts: accounts.map(ref => ref.address),
  data,
  stackHeight,
})

const byIndex = (entry: DeepInstruction, at: ReadonlyMap<Address, number>): VmInstruction => ({
  programIndex: at.get(entry.program) ?? 0,
  accounts: entry.accounts.map(address => at.get(address) ?? 0),
  data: entry.data,
  stackHeight: entry.stackHeight,
})
