import type { Address } from '@solana/kit'
import type { Instruction } from '../programs/stand-in.ts'
import { type ChainAccount, SYSTEM_PROGRAM } from './account.ts'
import { compileMessage } from './compile-message.ts'
import type { ResolvedKeys } from './execution.ts'
import { COMPUTE_BUDGET, encodeUnitLimit, UNITS_MAX } from './fee.ts'
import { createKeypair } from './keypair.ts'
import { unsigned } from './parse-transaction.ts'
import type { InstructionError, TransactionError } from './transaction-error.ts'
import type { CompiledInnerInstruction, Vm } from './vm.ts'

type Queued = {
  readonly instruction: Instruction
  /** Index of the top-level instruction that it belongs to. */
  readonly outer: number
  readonly depth: number
  /** Its entry among the inner instructions of `outer`; undefined if it is `outer` itself. */
  readonly entry: InnerInstruction | undefined
  readonly lines: string[]
}

export type VmQueue = ReturnType<typeof createVmQueue>

/**
 * Queues instructions for the VM until something reads what they write. They then run as one batch, so that rent is
 * checked only on the result.
 */
export function createVmQueue(
  vm: Vm,
  { undo, log, inner }: { undo: Undo; log: RunLog; inner: readonly InnerInstruction[][] },
) {
  let queue: Queued[] = []
  let unitsConsumed = 0

  function flush(): void {
    if (queue.length === 0) return
    const batch = queue
    queue = []
    for (const { instruction } of batch) {
      for (const ref of instruction.accounts) if (ref.isWritable) undo.save(ref.address)
    }
    const result = runBatchIgnoringRent(
      vm,
      batch.map(item => item.instruction),
    )
    unitsConsumed += result.unitsConsumed
    batch.forEach((item, at) => {
      const ran = result.ran[at]
      item.lines.push(...(ran?.logs ?? []).map(line => addDepth(line, item.depth)))
      const nested = (ran?.inner ?? []).map(entry => ({
        ...entry,
        stackHeight: entry.stackHeight + item.depth,
      }))
      // The instruction was listed when it was queued; those that it invoked come right after it.
      const list = inner[item.outer] as InnerInstruction[]
      list.splice(item.entry ? list.indexOf(item.entry) + 1 : 0, 0, ...nested)
    })
    if (!result.failed) return
    const { at, error, account } = result.failed
    const item = batch[at]
    if (item && typeof error === 'object' && 'InstructionError' in error) {
      throw new Halt({ outer: item.outer, error: error.InstructionError[1] }, item.lines)
    }
    throw new Halt({ whole: error, ...(account && { account }) })
  }

  return {
    flush,
    add(item: Omit<Queued, 'lines'>): void {
      // Within a batch, an account signs for all instructions or for none: a program's signature for one instruction
      // must not apply to the next.
      const conflict = queue.some(({ instruction }) =>
        instruction.accounts.some(a =>
          item.instruction.accounts.some(b => a.address === b.address && a.isSigner !== b.isSigner),
        ),
      )
      if (conflict) flush()
      queue.push({ ...item, lines: log.reserve() })
    },
    writes: (address: Address): boolean =>
      queue.some(({ instruction }) =>
        instruction.accounts.some(ref => ref.isWritable && ref.address === address),
      ),
    unitsConsumed: () => unitsConsumed,
  }
}

const addDepth = (line: string, depth: number): string =>
  depth === 0 ? line : line.replace(/ invoke \[(\d+)\]$/, (_, level) => ` invoke [${Number(level) + depth}]`)

/**
 * Pays for batches, so that users are not charged twice. It signs every batch, so its address is random: a user who
 * knew it could spend its lamports.
 */
const PAYER = createKeypair().address
const PAYER_LAMPORTS = 1_000_000_000_000n
/** The caller's own limit is meant for the real program, so a batch gets the maximum. */
const UNIT_LIMIT: Instruction = {
  program: COMPUTE_BUDGET as Address,
  accounts: [],
  data: encodeUnitLimit(UNITS_MAX),
}

export type BatchResult = {
  /** `at` is the index of the failing instruction, or -1 if the batch as a whole failed. */
  readonly failed?: { readonly at: number; readonly error: TransactionError; readonly account?: Address }
  /** The log lines and inner instructions of each instruction. */
  readonly ran: readonly { readonly logs: readonly string[]; readonly inner: readonly InnerInstruction[] }[]
  readonly unitsConsumed: number
}

export type InnerInstruction = {
  readonly program: Address
  readonly accounts: readonly Address[]
  readonly data: Uint8Array
  readonly stackHeight: number
}

/**
 * Runs instructions as one VM transaction, with exactly the signers that they name. The VM checks rent once, after the
 * whole batch.
 */
export function runBatch(vm: Vm, instructions: readonly Instruction[]): BatchResult {
  const { bytes, keys, signers } = compileMessage(PAYER, [UNIT_LIMIT, ...instructions], SYSTEM_PROGRAM)
  vm.write(PAYER, payerAccount)
  const result = vm.send({ message: bytes, signatures: unsigned(signers), version: 'legacy' }, keys)
  const logs = splitLogs(result.logs)
  const ran = instructions.map((_, at) => ({
    logs: logs[at + 1] ?? [],
    inner: (result.inner[at + 1] ?? []).map(inner => byAddress(inner, keys)),
  }))
  if (result.err === null) return { ran, unitsConsumed: result.unitsConsumed }
  return { ran, unitsConsumed: result.unitsConsumed, failed: locate(result.err, keys) }
}

const payerAccount: ChainAccount = {
  lamports: PAYER_LAMPORTS,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(),
  executable: false,
}

const byAddress = (inner: CompiledInnerInstruction, all: readonly Address[]): InnerInstruction => ({
  program: all[inner.programIndex] as Address,
  accounts: inner.accounts.map(at => all[at] as Address),
  data: inner.data,
  stackHeight: inner.stackHeight,
})

function locate(error: TransactionError, all: readonly Address[]): NonNullable<BatchResult['failed']> {
  if (typeof error === 'object' && 'InstructionError' in error) {
    return { at: error.InstructionError[0] - 1, error }
  }
  if (typeof error === 'object' && 'InsufficientFundsForRent' in error) {
    const account = all[error.InsufficientFundsForRent.account_index]
    return { at: -1, error, ...(account && { account }) }
  }
  return { at: -1, error }
}

/** Splits the log by instruction: each one starts with its program's first-level "invoke" line. */
function splitLogs(lines: readonly string[]): string[][] {
  const lists: string[][] = []
  for (const line of lines) {
    if (/ invoke \[1\]$/.test(line)) lists.push([])
    lists.at(-1)?.push(line)
  }
  return lists
}

/**
 * Runs a batch without the VM's rent check: the VM checks after every batch, but the chain only after the whole
 * transaction. Accounts that would fail the check get extra lamports during the run.
 */
export function runBatchIgnoringRent(vm: Vm, instructions: readonly Instruction[]): BatchResult {
  const added = new Map<Address, bigint>()
  for (;;) {
    const result = runBatch(vm, instructions)
    const short = result.failed?.account
    if (short === undefined || added.has(short)) {
      for (const [address, lamports] of added) addLamports(vm, address, -lamports)
      return result
    }
    const extra = vm.rentExemptMinimum(vm.read(short)?.data.length ?? 0)
    addLamports(vm, short, extra)
    added.set(short, extra)
  }
}

function addLamports(vm: Vm, address: Address, lamports: bigint): void {
  const account = vm.read(address) ?? EMPTY
  vm.write(address, { ...account, lamports: account.lamports + lamports })
}
const EMPTY: ChainAccount = { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array(), executable: false }

/**
 * Index of the first account that ends below its rent minimum. One that was below it before is accepted if it neither
 * changed its size nor gained lamports.
 */
export function findRentViolation(
  vm: Vm,
  before: ReadonlyMap<Address, ChainAccount | undefined>,
  keys: ResolvedKeys,
): number | undefined {
  const short = [...before].flatMap(([address, was]) => {
    const is = vm.read(address)
    if (!is || is.lamports >= vm.rentExemptMinimum(is.data.length)) return []
    const wasPoor = was && was.lamports < vm.rentExemptMinimum(was.data.length)
    const grew = wasPoor && (was.data.length !== is.data.length || is.lamports > was.lamports)
    return wasPoor && !grew ? [] : [keys.keys.indexOf(address)]
  })
  return short.length === 0 ? undefined : Math.min(...short)
}

export type Undo = ReturnType<typeof createUndo>

/** Undoes changes in the VM, which has no snapshots: each account is saved before its first change. */
export function createUndo(vm: Vm) {
  const before = new Map<Address, ChainAccount | undefined>()
  return {
    before: before as ReadonlyMap<Address, ChainAccount | undefined>,
    save(address: Address): void {
      if (!before.has(address)) before.set(address, vm.read(address))
    },
    restore(): void {
      for (const [address, account] of before) vm.write(address, account)
    },
  }
}

export type HaltReason =
  /** A top-level instruction failed, itself or in a program that it invoked. */
  | { readonly outer: number; readonly error: InstructionError }
  /** The transaction as a whole failed, possibly because of one account. */
  | { readonly whole: TransactionError; readonly account?: Address }

/** Thrown to end the run of a transaction. */
export class Halt extends Error {
  readonly reason: HaltReason
  /** The log lines of the instruction, if it failed in the VM. */
  readonly lines: string[] | undefined
  constructor(reason: HaltReason, lines?: string[]) {
    super('halt')
    this.reason = reason
    this.lines = lines
  }
}

export type RunLog = ReturnType<typeof createRunLog>

/** The log of a transaction. It stays in order, although the lines of queued instructions arrive late. */
export function createRunLog() {
  const pieces: string[][] = []
  return {
    add(line: string): void {
      pieces.push([line])
    },
    /** Reserves a position for lines that are added later. */
    reserve(): string[] {
      const lines: string[] = []
      pieces.push(lines)
      return lines
    },
    /** Drops everything after this position. */
    truncateAfter(lines: string[]): void {
      pieces.length = pieces.indexOf(lines) + 1
    },
    lines: (): string[] => pieces.flat(),
  }
}
