import type { Address } from '@solana/kit'
import {
  type AccountRef,
  type InnerInstruction,
  type Invocation,
  ProgramError,
  type StandIn,
} from '../programs/stand-in.ts'
import type { ChainAccount } from './account.ts'
import { type Execution, refused } from './execute.ts'
import type { ResolvedKeys, WireTransaction } from './parse-transaction.ts'
import { findShortOfRent, runOnLentRent } from './rent.ts'
import { takeFee } from './take-fee.ts'
import {
  describeInstructionError,
  type InstructionError,
  type TransactionError,
} from './transaction-error.ts'
import type { Vm, VmInstruction } from './vm.ts'
import type { DeepInstruction } from './vm-batch.ts'

// What the real programs use, within a factor of two; callers only see that it is not zero.
const STAND_IN_UNITS = 15_000
const STACK_HEIGHT_MAX = 5

type Queued = { instruction: InnerInstruction; outer: number; depth: number; lines: string[] }
type Stop = { outer: number; error: InstructionError } | { whole: TransactionError }

/**
 * A transaction that calls programs we only stand in for. Its instructions run one after another: a stand-in's in
 * JavaScript, all others on the virtual machine, in batches that are put off for as long as nobody reads what they
 * write, so that rent is judged on the outcome and not on the way. Every account is remembered before its first
 * change; a failure, or a simulation, puts all of them back.
 */
export function runWithStandIns(
  vm: Vm,
  standIns: ReadonlyMap<Address, StandIn>,
  tx: WireTransaction,
  keys: ResolvedKeys,
  mode: 'commit' | 'simulate',
): Execution {
  for (const ix of tx.instructions) {
    const program = keys.keys[ix.programIndex] as Address
    if (!standIns.has(program) && !vm.read(program)?.executable) return refused('ProgramAccountNotFound')
  }

  const feePayer = keys.keys[0] as Address
  const beforeFee = vm.read(feePayer)
  const fee = takeFee(vm, tx)
  if (fee !== null) {
    // Who cannot pay is not charged for that either.
    vm.write(feePayer, beforeFee)
    return refused(fee)
  }

  const before = new Map<Address, ChainAccount | undefined>()
  const remember = (address: Address) => {
    if (!before.has(address)) before.set(address, vm.read(address))
  }
  const logs: string[] = []
  const inner: DeepInstruction[][] = tx.instructions.map(() => [])
  let unitsConsumed = 0
  let queue: Queued[] = []

  const flush = () => {
    if (queue.length === 0) return
    const batch = queue
    queue = []
    for (const { instruction } of batch) {
      for (const ref of instruction.accounts) if (ref.isWritable) remember(ref.address)
    }
    const result = runOnLentRent(
      vm,
      batch.map(item => item.instruction),
    )
    unitsConsumed += result.unitsConsumed
    batch.forEach((item, at) => {
      const ran = result.ran[at]
      item.lines.push(...(ran?.logs ?? []).map(line => deepen(line, item.depth)))
      const list = inner[item.outer] as DeepInstruction[]
      // The invocation was listed when it was queued; what it invoked in turn belongs right behind it.
      const own = list.findIndex(entry => entry.data === item.instruction.data)
      list.splice(
        own + 1,
        0,
        ...(ran?.inner ?? []).map(i => ({ ...i, stackHeight: i.stackHeight + item.depth })),
      )
    })
    if (!result.failed) return
    const { at, error, account } = result.failed
    const item = batch[at]
    if (item && typeof error === 'object' && 'InstructionError' in error) {
      throw new Halt({ outer: item.outer, error: error.InstructionError[1] }, item.lines)
    }
    throw new Halt({
      whole: account ? { InsufficientFundsForRent: { account_index: keys.keys.indexOf(account) } } : error,
    })
  }

  const pendingWrites = (address: Address) =>
    queue.some(({ instruction }) =>
      instruction.accounts.some(ref => ref.isWritable && ref.address === address),
    )

  const enqueue = (instruction: InnerInstruction, outer: number, depth: number) => {
    // In one batch an account either signs or does not: a signature that a program lent to one instruction must not
    // be there for the next.
    const clash = queue.some(item =>
      item.instruction.accounts.some(a =>
        instruction.accounts.some(b => a.address === b.address && a.isSigner !== b.isSigner),
      ),
    )
    if (clash) flush()
    const lines: string[] = []
    pieces.push(lines)
    queue.push({ instruction, outer, depth, lines })
  }

  // Log lines arrive late for what is put off, so that the logs are a list of pieces until the end.
  const pieces: string[][] = []
  const say = (line: string) => pieces.push([line])

  const stack: Address[] = []
  const call = (instruction: InnerInstruction, outer: number): void => {
    const depth = stack.length
    if (depth >= STACK_HEIGHT_MAX) throw new ProgramError('CallDepth')
    // A program may call itself, but not through another.
    if (stack.includes(instruction.program) && stack.at(-1) !== instruction.program) {
      throw new ProgramError('ReentrancyNotAllowed')
    }
    if (depth > 0) {
      ;(inner[outer] as DeepInstruction[]).push({
        program: instruction.program,
        accounts: instruction.accounts.map(ref => ref.address),
        data: instruction.data,
        stackHeight: depth + 1,
      })
    }
    const standIn = standIns.get(instruction.program)
    if (!standIn) {
      enqueue(instruction, outer, depth)
      return
    }
    say(`Program ${instruction.program} invoke [${depth + 1}]`)
    unitsConsumed += STAND_IN_UNITS
    stack.push(instruction.program)
    try {
      standIn.process(invocation(instruction, outer))
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error
      if (error.message && typeof error.error === 'object') say(`Program log: ${error.message}`)
      say(`Program ${instruction.program} failed: ${describeInstructionError(error.error)}`)
      throw error
    } finally {
      stack.pop()
    }
    say(`Program ${instruction.program} success`)
  }

  const invocation = (instruction: InnerInstruction, outer: number): Invocation => ({
    accounts: instruction.accounts,
    data: instruction.data,
    read(address) {
      if (pendingWrites(address)) flush()
      return vm.read(address)
    },
    write(address, account) {
      flush()
      const ref = instruction.accounts.find(entry => entry.address === address)
      if (!ref?.isWritable) throw new ProgramError('ReadonlyDataModified')
      remember(address)
      vm.write(address, account)
    },
    invoke(next) {
      if (!standIns.has(next.program) && !vm.read(next.program)?.executable) {
        throw new ProgramError('UnsupportedProgramId')
      }
      call(next, outer)
    },
    log: message => say(`Program log: ${message}`),
    rentExemptMinimum: vm.rentExemptMinimum,
  })

  let stop: Stop | undefined
  try {
    tx.instructions.forEach((ix, outer) => {
      const accounts = ix.accounts.map(at => refAt(keys, at))
      try {
        call({ program: keys.keys[ix.programIndex] as Address, accounts, data: ix.data }, outer)
      } catch (error) {
        if (!(error instanceof ProgramError)) throw error
        throw new Halt({ outer, error: error.error })
      }
    })
    flush()
    const poor = findShortOfRent(vm, before, keys)
    if (poor !== undefined) throw new Halt({ whole: { InsufficientFundsForRent: { account_index: poor } } })
  } catch (error) {
    if (!(error instanceof Halt)) {
      undo(vm, before)
      vm.write(feePayer, beforeFee)
      throw error
    }
    stop = error.stop
    // Nothing that was logged behind the failing line has happened.
    const last = error.lines ? pieces.indexOf(error.lines) : pieces.length - 1
    if (last >= 0) pieces.length = last + 1
    if ('outer' in stop && error.lines) {
      const program = keys.keys[tx.instructions[stop.outer]?.programIndex ?? 0] as Address
      if (standIns.has(program)) say(`Program ${program} failed: ${describeInstructionError(stop.error)}`)
    }
  }
  for (const piece of pieces) logs.push(...piece)

  const err: TransactionError | null = !stop
    ? null
    : 'whole' in stop
      ? stop.whole
      : { InstructionError: [stop.outer, stop.error] }
  if (err) undo(vm, before)

  const accounts = new Map<Address, ChainAccount | undefined>()
  if (mode === 'commit' || !err) {
    keys.keys.forEach((address, at) => {
      if (keys.isWritable(at)) accounts.set(address, vm.read(address))
    })
  }
  if (mode === 'simulate') {
    undo(vm, before)
    vm.write(feePayer, beforeFee)
  }
  const at = new Map(keys.keys.map((key, index) => [key, index]))
  return {
    err,
    logs,
    unitsConsumed,
    inner: inner.map(list => list.map(entry => byIndex(entry, at))),
    returnData: null,
    accounts,
    keys,
    landed: true,
  }
}

class Halt extends Error {
  readonly stop: Stop
  /** The log piece of the instruction that failed on the machine. */
  readonly lines: string[] | undefined
  constructor(stop: Stop, lines?: string[]) {
    super('halt')
    this.stop = stop
    this.lines = lines
  }
}

function undo(vm: Vm, before: ReadonlyMap<Address, ChainAccount | undefined>): void {
  for (const [address, account] of before) vm.write(address, account)
}

const refAt = (keys: ResolvedKeys, at: number): AccountRef => ({
  address: keys.keys[at] as Address,
  isSigner: keys.isSigner(at),
  isWritable: keys.isWritable(at),
})

const deepen = (line: string, depth: number): string =>
  depth === 0 ? line : line.replace(/ invoke \[(\d+)\]$/, (_, level) => ` invoke [${Number(level) + depth}]`)

const byIndex = (entry: DeepInstruction, at: ReadonlyMap<Address, number>): VmInstruction => ({
  programIndex: at.get(entry.program) ?? 0,
  accounts: entry.accounts.map(address => at.get(address) ?? 0),
  data: entry.data,
  stackHeight: entry.stackHeight,
})
