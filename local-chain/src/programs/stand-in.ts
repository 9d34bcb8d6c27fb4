import type { Address } from '@solana/kit'
import type { ChainAccount } from '../ledger/account.ts'
import type { InstructionError } from '../ledger/transaction-error.ts'

export type AccountRef = {
  readonly address: Address
  readonly isSigner: boolean
  readonly isWritable: boolean
}

export type InnerInstruction = {
  readonly program: Address
  readonly accounts: readonly AccountRef[]
  readonly data: Uint8Array
}

/** What a stand-in may do while it carries out one instruction. */
export type Invocation = {
  readonly accounts: readonly AccountRef[]
  readonly data: Uint8Array
  read(address: Address): ChainAccount | undefined
  /** Replaces an account that the program owns, or moves lamports as a program may for accounts it owns. */
  write(address: Address, account: ChainAccount | undefined): void
  /**
   * A cross-program invocation, of another stand-in or on the virtual machine. Who signs is in the account references;
   * `derivedSigners` are the addresses of its own that the stand-in signs for, as `invoke_signed` would.
   */
  invoke(instruction: InnerInstruction, derivedSigners?: readonly Address[]): void
  log(message: string): void
  rentExemptMinimum(size: number): bigint
}

/** A program that is carried out around the virtual machine because its binary is not at hand. */
export type StandIn = {
  readonly address: Address
  process(invocation: Invocation): void
}

/** How a stand-in fails: with the very error that the real program returns. */
export class ProgramError extends Error {
  readonly error: InstructionError
  constructor(error: InstructionError, message?: string) {
    super(message ?? (typeof error === 'string' ? error : JSON.stringify(error)))
    this.error = error
  }
}
