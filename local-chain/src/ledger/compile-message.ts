import { type Address, getCompiledTransactionMessageEncoder } from '@solana/kit'
import type { AccountRef, Instruction } from '../programs/stand-in.ts'
import { bytesOf } from './address-bytes.ts'
import type { TransactionConfig, TransactionVersion } from './parse-transaction.ts'

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

const v1Encoder = getCompiledTransactionMessageEncoder()
const UNITS_PER_INSTRUCTION = 200_000
const UNITS_MAX = 1_400_000
const LOADED_BYTES_MAX = 64 * 1_024 * 1_024

/** Compiles a message of any version. One of version 1 gets the limits that the others have unless they set them. */
export function compileVersion(
  version: TransactionVersion,
  payer: Address,
  instructions: readonly Instruction[],
  blockhash: string,
): ReturnType<typeof compileMessage> & { config?: TransactionConfig } {
  const compiled = compileMessage(payer, instructions, blockhash)
  if (version === 'legacy') return compiled
  // No lookup tables follow.
  if (version === 0)
    return {
      ...compiled,
      bytes: new Uint8Array(Buffer.concat([Uint8Array.of(0x80), compiled.bytes, Uint8Array.of(0)])),
    }
  const [numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts] = compiled.header
  const config = {
    priorityFee: null,
    computeUnitLimit: Math.min(instructions.length * UNITS_PER_INSTRUCTION, UNITS_MAX),
    loadedAccountsDataSizeLimit: LOADED_BYTES_MAX,
    heapSize: null,
  }
  const bytes = v1Encoder.encode({
    version,
    header: { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts },
    configMask: 0b1100,
    configValues: [config.computeUnitLimit, config.loadedAccountsDataSizeLimit].map(value => ({
      kind: 'u32',
      value,
    })),
    lifetimeToken: blockhash,
    numInstructions: compiled.instructions.length,
    numStaticAccounts: compiled.keys.length,
    staticAccounts: compiled.keys,
    instructionHeaders: compiled.instructions.map(({ programIndex, accounts, data }) => ({
      programAccountIndex: programIndex,
      numInstructionAccounts: accounts.length,
      numInstructionDataBytes: data.length,
    })),
    instructionPayloads: compiled.instructions.map(({ accounts, data }) => ({
      instructionAccountIndices: [...accounts],
      instructionData: data,
    })),
  })
  return { ...compiled, bytes: new Uint8Array(bytes), config }
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
