import type { Address } from '@solana/kit'
import type { ChainAccount } from '../ledger/account.ts'
import type { InstructionError } from '../ledger/transaction-error.ts'

export type AccountRef = {
  readonly address: Address
  readonly isSigner: boolean
  readonly isWritable: boolean
}

export type Instruction = {
  readonly program: Address
  readonly accounts: readonly AccountRef[]
  readonly data: Uint8Array
}

/** What a stand-in can do while it processes an instruction. */
export type Invocation = {
  readonly accounts: readonly AccountRef[]
  readonly data: Uint8Array
  read(address: Address): ChainAccount | undefined
  /** Replaces an account that the program owns, or adds lamports to any account. */
  write(address: Address, account: ChainAccount | undefined): void
  /**
   * Invokes another program, which may be a stand-in or run in the VM. `derivedSigners` are the program's own derived
   * addresses for which it signs, like the seeds of `invoke_signed`.
   */
  invoke(instruction: Instruction, derivedSigners?: readonly Address[]): void
  log(message: string): void
  rentExemptMinimum(size: number): bigint
}

/** Replaces a program whose binary is not available; runs in JavaScript, outside the VM. */
export type StandIn = {
  readonly address: Address
  /** Accounts that exist wherever the program does. */
  readonly accounts?: ReadonlyMap<Address, ChainAccount>
  process(invocation: Invocation): void
}

/** Thrown by a stand-in to fail with the same error as the real program. */
export class ProgramError extends Error {
  readonly error: InstructionError
  constructor(error: InstructionError, message?: string) {
    super(message ?? (typeof error === 'string' ? error : JSON.stringify(error)))
    this.error = error
  }
}
