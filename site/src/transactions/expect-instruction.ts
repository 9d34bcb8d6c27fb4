import { type Call, encodeCall } from '@slipway/launch-model/call'
import type { Address } from '@slipway/launch-model/programs'
import { areEqual, type Instruction } from './decode-transaction.ts'
import { refuse } from './unexpected.ts'

/** What an account is for, in words that can follow “as”, and which account it must be. */
export type ExpectedAccount = readonly [role: string, address: Address]

/** Refuses an instruction whose accounts are not exactly these, in this order. */
export function assertAccounts({ accounts }: Instruction, expected: readonly ExpectedAccount[]): void {
  for (const [index, [role, address]] of expected.entries()) {
    const actual = accounts[index]
    if (actual !== address)
      refuse(`The transaction names ${actual ?? 'no account'} as ${role}. It should be ${address}.`)
  }
  if (accounts.length > expected.length)
    refuse('The transaction hands more accounts to a program than the program needs.')
}

/** Refuses an instruction that is not exactly this call. */
export function assertCall(instruction: Instruction, call: Call): void {
  assertProgram(instruction, call.kind.program)
  if (!areEqual(instruction.data, encodeCall(call).data)) refuseInstruction()
  assertAccounts(
    instruction,
    call.accounts.map(({ name, address }) => [name, address]),
  )
}

/** The account at this position, which the page can't know in advance. */
export const accountAt = ({ accounts }: Instruction, index: number): Address =>
  accounts[index] ?? refuse('The transaction has an instruction with too few accounts.')

/** Refuses a transaction that does more, or less, than this many things. */
export function assertCount(instructions: readonly Instruction[], count: number): void {
  if (instructions.length > count)
    refuse(
      `The transaction does more than this page said: it has ${instructions.length} instructions, not ${count}.`,
    )
  if (instructions.length < count) refuse('The transaction does less than this page said.')
}

export function assertProgram({ program }: Instruction, expected: Address): void {
  if (program !== expected)
    refuse(`The transaction calls the program ${program}, which this page didn’t expect here.`)
}

export const refuseInstruction = (): never =>
  refuse('The transaction gives a program an instruction that this page didn’t expect.')
