import { assetSignerAddress } from '@slipway/launch-model/addresses'
import { type Instruction, readonlySigner, writable, writableSigner } from '@slipway/launch-model/call'
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { compileTransaction } from './compile-transaction.ts'

export interface Funding {
  asset: Address
  /** Pays the amount and the fee, and signs the memo. */
  sender: Address
  lamports: bigint
  memo: string
  blockhash: string
}

const LAMPORTS_MAX = 2n ** 64n - 1n

/** What the sender signs to pay an amount into the agent's wallet, with a memo. Base64, unsigned. */
export function buildFundTransaction(funding: Funding): string {
  const { sender, lamports, blockhash } = funding
  if (lamports <= 0n || lamports > LAMPORTS_MAX)
    throw new RangeError('the amount must be from 1 to 2 ** 64 - 1')
  return compileTransaction(sender, [transfer(funding), addMemo(funding)], blockhash)
}

const TRANSFER = 2

/** `Transfer` of the system program. */
function transfer({ asset, sender, lamports }: Funding): Instruction {
  const data = new DataView(new ArrayBuffer(12))
  data.setUint32(0, TRANSFER, true)
  data.setBigUint64(4, lamports, true)
  return {
    program: SYSTEM_PROGRAM,
    accounts: [writableSigner(sender), writable(assetSignerAddress(asset))],
    data: new Uint8Array(data.buffer),
  }
}

/** The only instruction of the memo program: the text, and the accounts that sign it. */
export const addMemo = ({ sender, memo }: Pick<Funding, 'sender' | 'memo'>): Instruction => ({
  program: MEMO_PROGRAM,
  accounts: [readonlySigner(sender)],
  data: Buffer.from(memo),
})
