import { assetSignerAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/launch-model/programs'
import { CORE_PROGRAM, SYSTEM_PROGRAM } from '@slipway/launch-model/programs'
import type { Instruction } from './decode-transaction.ts'
import { accountAt, assertAccounts, assertProgram, refuseInstruction } from './expect-instruction.ts'
import { createFieldReader } from './field-reader.ts'

const EXECUTE = 31
/** The accounts of `execute` itself. Those of the inner instruction follow. */
const EXECUTE_ACCOUNTS = 7

export interface Executed {
  /** The instruction that Core runs with the signatures of the agent's wallet and of the owner. */
  inner: Instruction
  /** The collection that the agent is said to belong to. The chain checks it. */
  collection: Address | undefined
}

/** Unwraps Core's `execute` for this agent. Refuses any other instruction. */
export function decodeExecute(
  instruction: Instruction,
  { agent, owner }: { agent: Address; owner: Address },
): Executed {
  assertProgram(instruction, CORE_PROGRAM)
  const fields = createFieldReader(instruction.data)
  if (fields.u8() !== EXECUTE) refuseInstruction()
  const data = fields.bytes(fields.u32())
  fields.end()
  const collection = accountAt(instruction, 1)
  const program = accountAt(instruction, 6)
  assertAccounts({ ...instruction, accounts: instruction.accounts.slice(0, EXECUTE_ACCOUNTS) }, [
    ['the agent', agent],
    ['the agent’s collection', collection],
    ['the agent’s wallet', assetSignerAddress(agent)],
    ['the payer', owner],
    // An account that is left out is written as the program itself.
    ['the authority', CORE_PROGRAM],
    ['the system program', SYSTEM_PROGRAM],
    ['the program to call', program],
  ])
  return {
    inner: { program, accounts: instruction.accounts.slice(EXECUTE_ACCOUNTS), data },
    collection: collection === CORE_PROGRAM ? undefined : collection,
  }
}
