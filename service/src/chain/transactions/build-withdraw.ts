import type { Address } from '@slipway/schema/address'
import { assetSignerAddress } from '../addresses/addresses.ts'
import { CORE_PROGRAM, SYSTEM_PROGRAM } from '../addresses/programs.ts'
import {
  compileTransaction,
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from './compile-transaction.ts'

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

/** Core's `Execute` around the system program's `Transfer`, from the asset's wallet to the owner. */
function executeTransfer({ asset, collection, owner, lamports }: Withdrawal): Instruction {
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
      readonly(SYSTEM_PROGRAM),
      writable(wallet),
      writable(owner),
    ],
    data: executeTransferData(lamports),
  }
}

const EXECUTE = 31
const TRANSFER = 2
const TRANSFER_BYTES = 12

function executeTransferData(lamports: bigint): Uint8Array {
  const data = new DataView(new ArrayBuffer(5 + TRANSFER_BYTES))
  data.setUint8(0, EXECUTE)
  data.setUint32(1, TRANSFER_BYTES, true)
  data.setUint32(5, TRANSFER, true)
  data.setBigUint64(9, lamports, true)
  return new Uint8Array(data.buffer)
}
