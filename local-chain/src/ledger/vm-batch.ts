import type { Address } from '@solana/kit'
import type { Instruction } from '../programs/stand-in.ts'
import { type ChainAccount, SYSTEM_PROGRAM } from './account.ts'
import { compileMessage } from './compile-message.ts'
import { COMPUTE_BUDGET, encodeUnitLimit, UNITS_MAX } from './fee.ts'
import { createKeypair } from './keypair.ts'
import { unsigned } from './parse-transaction.ts'
import type { TransactionError } from './transaction-error.ts'
import type { CompiledInnerInstruction, Vm } from './vm.ts'

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
