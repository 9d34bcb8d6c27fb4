import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { type Instruction, writable } from '@slipway/launch-model/call'
import { SYSTEM_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { compileTransaction } from './compile-transaction.ts'
import { executeAsAgent } from './execute-as-agent.ts'

export interface Withdrawal {
  asset: Address
  /** The collection that the asset belongs to, if any: the program refuses the withdrawal without it. */
  collection?: Address | undefined
  /** Pays the fee, signs, and receives the funds. */
  owner: Address
  lamports: bigint
  blockhash: string
}

const LAMPORTS_MAX = 2n ** 64n - 1n

/** What the owner signs to move funds out of the agent's wallet. Base64, unsigned. */
export function buildWithdrawTransaction(withdrawal: Withdrawal): string {
  const { owner, lamports, blockhash } = withdrawal
  if (lamports <= 0n || lamports > LAMPORTS_MAX)
    throw new RangeError('the amount must be from 1 to 2 ** 64 - 1')
  return compileTransaction(owner, [executeTransfer(withdrawal)], blockhash)
}

/** Core's `execute` around the system program's `Transfer`, from the asset's wallet to the owner. */
function executeTransfer({ asset, collection, owner, lamports }: Withdrawal): Instruction {
  const transfer = {
    program: SYSTEM_PROGRAM,
    accounts: [writable(assetSignerAddress(asset)), writable(owner)],
    data: transferData(lamports),
  }
  return executeAsAgent({ asset, collection }, owner, transfer)
}

const TRANSFER = 2
const TRANSFER_BYTES = 12

function transferData(lamports: bigint): Uint8Array {
  const data = new DataView(new ArrayBuffer(TRANSFER_BYTES))
  data.setUint32(0, TRANSFER, true)
  data.setBigUint64(4, lamports, true)
  return new Uint8Array(data.buffer)
}
