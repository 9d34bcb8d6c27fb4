import type { Address } from '@slipway/schema/address'
import { writeAddress } from '../addresses/base58.ts'
import type { Instruction } from './learn-instruction.ts'

/** What the network carries at most. */
export const TRANSACTION_BYTES_MAX = 1_232
const SIGNATURE_BYTES = 64
const KEY_BYTES = 32
const VERSION_0 = 0x80

/**
 * An unsigned version-0 transaction, byte for byte as Umi and web3.js make it: accounts in the order in which they are
 * first named, the payer first and each program before its accounts, grouped by what the transaction may do with them.
 */
export function compileTransaction(
  payer: Address,
  instructions: readonly Instruction[],
  blockhash: string,
): string {
  const keys = collectKeys(payer, instructions)
  const bytes = Buffer.alloc(TRANSACTION_BYTES_MAX)
  let at = writeLength(bytes, 0, keys.signers)
  at += keys.signers * SIGNATURE_BYTES
  bytes[at++] = VERSION_0
  bytes[at++] = keys.signers
  bytes[at++] = keys.readonlySigners
  bytes[at++] = keys.readonlyOthers
  at = writeLength(bytes, at, keys.order.length)
  if (at + (keys.order.length + 1) * KEY_BYTES > TRANSACTION_BYTES_MAX) throw tooLarge()
  for (const address of keys.order) {
    writeAddress(address, bytes, at)
    at += KEY_BYTES
  }
  writeAddress(blockhash, bytes, at)
  at = writeLength(bytes, at + KEY_BYTES, instructions.length)
  for (const { program, accounts, data } of instructions) {
    if (at + accounts.length + data.length + 8 > TRANSACTION_BYTES_MAX) throw tooLarge()
    bytes[at++] = keys.index(program)
    at = writeLength(bytes, at, accounts.length)
    for (const { address } of accounts) bytes[at++] = keys.index(address)
    at = writeLength(bytes, at, data.length)
    bytes.set(data, at)
    at += data.length
  }
  // No address look-up tables.
  bytes[at++] = 0
  return bytes.toString('base64', 0, at)
}

const SIGNER = 1
const WRITABLE = 2
/** Which group comes first, by what is allowed: signers before others, the writable ones of each first. */
const GROUPS = [SIGNER | WRITABLE, SIGNER, WRITABLE, 0] as const

function collectKeys(payer: Address, instructions: readonly Instruction[]) {
  const flags = new Map<Address, number>([[payer, SIGNER | WRITABLE]])
  for (const { program, accounts } of instructions) {
    if (!flags.has(program)) flags.set(program, 0)
    for (const { address, isSigner, isWritable } of accounts) {
      const known = flags.get(address)
      const now = (known ?? 0) | (isSigner ? SIGNER : 0) | (isWritable ? WRITABLE : 0)
      if (now !== known) flags.set(address, now)
    }
  }
  const order: Address[] = []
  const counts = GROUPS.map(group => {
    const before = order.length
    for (const [address, flag] of flags) if (flag === group) order.push(address)
    return order.length - before
  }) as [number, number, number, number]
  const indexes = new Map(order.map((address, index) => [address, index]))
  return {
    order,
    signers: counts[0] + counts[1],
    readonlySigners: counts[1],
    readonlyOthers: counts[3],
    index: (address: Address) => indexes.get(address) as number,
  }
}

/** The chain's short form of a length: seven bits a byte. */
function writeLength(bytes: Uint8Array, at: number, length: number): number {
  let rest = length
  while (rest >= 0x80) {
    bytes[at++] = (rest & 0x7f) | 0x80
    rest >>= 7
  }
  bytes[at] = rest
  return at + 1
}

const tooLarge = () => new RangeError(`a transaction takes ${TRANSACTION_BYTES_MAX} bytes at most`)
