import type { Address } from '@solana/kit'
import type { Instruction } from '../programs/stand-in.ts'
import { SYSTEM_PROGRAM } from './account.ts'
import { bytesOf } from './address-bytes.ts'

export function systemTransfer(from: Address, to: Address, lamports: bigint): Instruction {
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

export function systemCreateAccount(
  payer: Address,
  created: Address,
  { lamports, space, owner }: { lamports: bigint; space: number; owner: Address },
): Instruction {
  const data = new Uint8Array(52)
  const view = new DataView(data.buffer)
  view.setBigUint64(4, lamports, true)
  view.setBigUint64(12, BigInt(space), true)
  data.set(bytesOf(owner), 20)
  return {
    program: SYSTEM_PROGRAM,
    accounts: [
      { address: payer, isSigner: true, isWritable: true },
      { address: created, isSigner: true, isWritable: true },
    ],
    data,
  }
}

export function systemAllocate(account: Address, space: number): Instruction {
  const data = new Uint8Array(12)
  const view = new DataView(data.buffer)
  view.setUint32(0, 8, true)
  view.setBigUint64(4, BigInt(space), true)
  return { program: SYSTEM_PROGRAM, accounts: [{ address: account, isSigner: true, isWritable: true }], data }
}

export function systemAssign(account: Address, owner: Address): Instruction {
  const data = new Uint8Array(36)
  data[0] = 1
  data.set(bytesOf(owner), 4)
  return { program: SYSTEM_PROGRAM, accounts: [{ address: account, isSigner: true, isWritable: true }], data }
}
