import type { Address } from '@solana/kit'
import type { InnerInstruction } from '../programs/stand-in.ts'
import { SYSTEM_PROGRAM } from './account.ts'

export function systemTransfer(from: Address, to: Address, lamports: bigint): InnerInstruction {
  const data = new Uint8Array(12)
  const view = new DataView(data.buffer)
  view.setUint32(0, 2, true)
  view.setBigUint64(4, lamports, true)
  return {
    program: SYSTEM_PROGRAM,
    accounts: [
      { address: from, isSigner: true, isWritable: true },
      { address: to, isSigner: false, isWritable: true },
    ],
    data,
  }
}
