import type { Address } from '@solana/kit'
import type { AccountRef, Instruction } from '../programs/stand-in.ts'
import { bytesOf } from './address-bytes.ts'

type Header = readonly [signers: number, readonlySigners: number, readonlyNonSigners: number]
type CompiledInstruction = {
  readonly programIndex: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
}

/** Compiles a legacy message. Also returns its parts. */
export function compileMessage(
  payer: Address,
  instructions: readonly Instruction[],
  blockhash: string,
): {
  bytes: Uint8Array
  keys: Address[]
  signers: number
  header: Header
  instructions: CompiledInstruction[]
} {
  const refs = collectAccounts(payer, instructions)
  const keys = refs.map(ref => ref.address)
  const index = new Map(keys.map((key, at) => [key, at]))
  const count = (rank: number) => refs.filter(ref => rankOf(ref) === rank).length
  const signers = count(0) + count(1)
  const header: Header = [signers, count(1), count(3)]
  const compiled = instructions.map(ix => ({
    programIndex: index.get(ix.program) as number,
    accounts: ix.accounts.map(ref => index.get(ref.address) as number),
    data: ix.data,
  }))
  const bytes = encodeLegacyMessage({ header, keys, blockhash, instructions: compiled })
  return { bytes, keys, signers, header, instructions: compiled }
}

/** Kit's encoder does the same, but converts every address anew, which takes longer than running the transaction. */
export function encodeLegacyMessage({
  header,
  keys,
  blockhash,
  instructions,
}: {
  header: Header
  keys: readonly Address[]
  blockhash: string
  instructions: readonly CompiledInstruction[]
}): Uint8Array {
  const parts: (readonly number[] | Uint8Array)[] = [header, compactLength(keys.length)]
  for (const key of keys) parts.push(bytesOf(key))
  parts.push(bytesOf(blockhash as Address), compactLength(instructions.length))
  for (const { programIndex, accounts, data } of instructions)
    parts.push([programIndex], compactLength(accounts.length), accounts, compactLength(data.length), data)
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Seven bits a byte, lowest first; the highest bit says that more follow. */
function compactLength(length: number): number[] {
  return length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...compactLength(length >> 7)]
}

/** Every account once, in message order, with all the privileges that any instruction asks for. */
function collectAccounts(payer: Address, instructions: readonly Instruction[]): AccountRef[] {
  const refs = new Map<Address, AccountRef>()
  const add = ({ address, isSigner, isWritable }: AccountRef) => {
    const known = refs.get(address)
    refs.set(address, {
      address,
      isSigner: isSigner || (known?.isSigner ?? false),
      isWritable: isWritable || (known?.isWritable ?? false),
    })
  }
  add({ address: payer, isSigner: true, isWritable: true })
  for (const ix of instructions) {
    for (const ref of ix.accounts) add(ref)
    add({ address: ix.program, isSigner: false, isWritable: false })
  }
  // The sort is stable, so the payer stays first among the writable signers.
  return [...refs.values()].sort((a, b) => rankOf(a) - rankOf(b))
}

// Writable signers, read-only signers, writable non-signers, read-only non-signers.
const rankOf = (ref: AccountRef): number => (ref.isSigner ? 0 : 2) + (ref.isWritable ? 0 : 1)
