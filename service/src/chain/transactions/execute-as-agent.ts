import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { type Instruction, readonly, writable, writableSigner } from '@slipway/launch-model/call'
import { CORE_PROGRAM, SYSTEM_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { unsigned } from './compile-transaction.ts'

const EXECUTE = 31

/** Core's `execute` around an instruction: the program signs for the agent's wallet, because the owner signs. */
export function executeAsAgent(
  { asset, collection }: { asset: Address; collection?: Address | undefined },
  owner: Address,
  { program, accounts, data }: Instruction,
): Instruction {
  const wallet = assetSignerAddress(asset)
  return {
    program: CORE_PROGRAM,
    accounts: [
      writable(asset),
      // An optional account that is not given is written as the program itself; so is the authority.
      collection ? writable(collection) : readonly(CORE_PROGRAM),
      readonly(wallet),
      writableSigner(owner),
      readonly(CORE_PROGRAM),
      readonly(SYSTEM_PROGRAM),
      // The program to execute, and the accounts of its instruction.
      readonly(program),
      ...accounts.map(account => (account.address === wallet ? unsigned(account) : account)),
    ],
    data: executeData(data),
  }
}

/** The number of the instruction, and the inner data with its length in front. */
function executeData(data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(5 + data.length)
  bytes[0] = EXECUTE
  new DataView(bytes.buffer).setUint32(1, data.length, true)
  bytes.set(data, 5)
  return bytes
}
