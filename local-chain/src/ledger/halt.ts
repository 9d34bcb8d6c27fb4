import type { Address } from '@solana/kit'
import type { InstructionError, TransactionError } from './transaction-error.ts'

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
