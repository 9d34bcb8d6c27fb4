import type { Address } from '@solana/kit'
import type { InstructionError, TransactionError } from './transaction-error.ts'

export type Stop =
  /** An instruction of the message failed, by itself or by what it invoked. */
  | { readonly outer: number; readonly error: InstructionError }
  /** The outcome as a whole was refused, perhaps for what it does to one account. */
  | { readonly whole: TransactionError; readonly account?: Address }

/** Ends the run of a transaction. */
export class Halt extends Error {
  readonly stop: Stop
  /** Where in the log the instruction stands that failed on the machine. */
  readonly lines: string[] | undefined
  constructor(stop: Stop, lines?: string[]) {
    super('halt')
    this.stop = stop
    this.lines = lines
  }
}
