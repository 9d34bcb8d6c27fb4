import { associatedTokenAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/launch-model/programs'
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_NATIVE_MINT,
} from '@slipway/launch-model/programs'
import { shorten } from '../lib/format.ts'
import { areEqual, type Instruction } from './decode-transaction.ts'
import { assertAccounts, assertProgram, refuseInstruction } from './expect-instruction.ts'
import type { Step } from './intent.ts'
import { refuse } from './unexpected.ts'

const CREATE_IDEMPOTENT = [1]

/** `CreateIdempotent` of the associated token program, which does nothing if the account exists. */
export function reviewTokenAccount(
  instruction: Instruction,
  {
    payer,
    owner,
    mint,
    tokenProgram,
    names,
  }: {
    payer: Address
    owner: Address
    mint: Address
    tokenProgram: Address
    names?: ReadonlyMap<Address, string>
  },
): Step {
  assertProgram(instruction, ASSOCIATED_TOKEN_PROGRAM)
  if (!areEqual(instruction.data, CREATE_IDEMPOTENT)) refuseInstruction()
  const account = associatedTokenAddress(mint, owner, tokenProgram)
  assertAccounts(instruction, [
    ['the payer', payer],
    ['the new token account', account],
    ['its owner', owner],
    ['its token', mint],
    ['the system program', SYSTEM_PROGRAM],
    ['the token program', tokenProgram],
  ])
  return nameTokenAccount({ payer, account, owner, mint, tokenProgram, ...(names && { names }) })
}

/** What it does to open this account. */
export function nameTokenAccount({
  payer,
  account,
  owner,
  mint,
  tokenProgram,
  names,
}: {
  payer: Address
  account: Address
  owner: Address
  mint: Address
  tokenProgram: Address
  names?: ReadonlyMap<Address, string>
}): Step {
  const whose = owner === payer ? 'your wallet' : (names?.get(owner) ?? shorten(owner))
  const token = names?.get(mint) ?? tokenName(mint)
  return {
    text: `Open ${whose}’s account for ${token}, if needed`,
    detail: `Account ${account} of ${owner}, token ${mint}, program ${tokenProgram}`,
  }
}

export const tokenName = (mint: Address): string =>
  mint === WRAPPED_NATIVE_MINT ? 'wrapped SOL' : shorten(mint)

export function assertTokenProgram(program: Address): void {
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM)
    refuse(`The transaction calls ${program}, which isn’t a token program.`)
}
