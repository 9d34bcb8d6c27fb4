import type { Address } from '@solana/kit'
import {
  type AccountRef,
  type Instruction,
  type Invocation,
  ProgramError,
  type StandIn,
} from '../programs/stand-in.ts'
import { sameAccount } from './account.ts'
import type { RunLog } from './run-log.ts'
import { describeInstructionError } from './transaction-error.ts'
import type { Undo } from './undo.ts'
import type { Vm } from './vm.ts'
import type { InnerInstruction } from './vm-batch.ts'
import type { VmQueue } from './vm-queue.ts'

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
