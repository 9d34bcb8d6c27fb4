import type { Address } from '@solana/kit'
import type { InnerInstruction } from '../programs/stand-in.ts'
import { type ChainAccount, SYSTEM_PROGRAM } from './account.ts'
import { compileMessage } from './compile-message.ts'
import { COMPUTE_BUDGET, UNITS_MAX, unitLimit } from './fee.ts'
import { createKeypair } from './keypair.ts'
import type { TransactionError } from './transaction-error.ts'
import type { Vm, VmInstruction } from './vm.ts'

/**
 * Pays for the machine's runs on behalf of stand-ins, so that no user is charged twice. It signs every batch: an address
 * that nobody knows cannot be named in a transaction that would spend its money.
 */
const PAYER = createKeypair().address
const PAYER_LAMPORTS = 1_000_000_000_000n
/** What the caller asked for was meant for the real program, not for this run. */
const UNIT_LIMIT: InnerInstruction = {
  program: COMPUTE_BUDGET as Address,
  accounts: [],
  data: unitLimit(UNITS_MAX),
}

export type BatchResult = {
  /** The failing instruction of the batch, or -1 for an error of the whole run. */
  readonly failed?: { readonly at: number; readonly error: TransactionError; readonly account?: Address }
  /** For each instruction of the batch its log lines and what it invoked, addresses instead of indexes. */
  readonly ran: readonly { readonly logs: readonly string[]; readonly inner: readonly DeepInstruction[] }[]
  readonly unitsConsumed: number
}

export type DeepInstruction = {
  readonly program: Address
  readonly accounts: readonly Address[]
  readonly data: Uint8Array
  readonly stackHeight: number
}

/**
 * Runs instructions as one transaction of the machine's own, with exactly the signers that they name. Rent is checked
 * when the whole batch has run, as the chain does at the end of a transaction.
 */
export function runBatch(vm: Vm, instructions: readonly InnerInstruction[]): BatchResult {
  const { bytes, keys, signers } = compileMessage(PAYER, [UNIT_LIMIT, ...instructions], SYSTEM_PROGRAM)
  vm.write(PAYER, payerAccount)
  const signatures = Object.fromEntries(keys.slice(0, signers).map(key => [key, new Uint8Array(64)]))
  const result = vm.send(bytes, signatures, keys)
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

const byAddress = (inner: VmInstruction, all: readonly Address[]): DeepInstruction => ({
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

/** One list of lines for each instruction: every one of them begins with its program's first-level "invoke". */
function splitLogs(lines: readonly string[]): string[][] {
  const lists: string[][] = []
  for (const line of lines) {
    if (/ invoke \[1\]$/.test(line)) lists.push([])
    lists.at(-1)?.push(line)
  }
  return lists
}
