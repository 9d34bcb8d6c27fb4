import type { Address } from '@slipway/schema/address'
import { assetSignerAddress } from '../../addresses/addresses.ts'
import { CORE_PROGRAM, SYSTEM_PROGRAM } from '../../addresses/programs.ts'
import { type Instruction, readonly, unsigned, writable, writableSigner } from '../compile-transaction.ts'
import { u32 } from '../encode-fields.ts'

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
    data: Buffer.concat([Uint8Array.of(EXECUTE), u32(data.length), data]),
  }
}
