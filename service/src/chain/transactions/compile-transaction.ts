import { writeAddress } from '@slipway/launch-model/bytes/base58'
import { type Instruction, READONLY, READONLY_SIGNER, WRITABLE_SIGNER } from '@slipway/launch-model/call'
import type { Address } from '@slipway/schema/address'

/** The most that the network carries. */
export const TRANSACTION_BYTES_MAX = 1_232
const SIGNATURE_BYTES = 64
const KEY_BYTES = 32
const VERSION_0 = 0x80

/**
 * An unsigned version-0 transaction in Base64, byte for byte as Umi and web3.js build it: the payer comes first, then
 * the accounts grouped by role, and within a group in the order of first use, each program before its accounts.
 */
export function compileTransaction(
  payer: Address,
  instructions: readonly Instruction[],
  blockhash: string,
): string {
  const keys = collectKeys(payer, instructions)
  const size = measure(keys, instructions)
  if (size > TRANSACTION_BYTES_MAX) throw new TransactionTooLarge()
  const bytes = Buffer.alloc(size)
  let at = writeLength(bytes, 0, keys.signers)
  at += keys.signers * SIGNATURE_BYTES
  bytes[at++] = VERSION_0
  bytes[at++] = keys.signers
  bytes[at++] = keys.readonlySigners
  bytes[at++] = keys.readonlyOthers
  at = writeLength(bytes, at, keys.order.length)
  for (const address of keys.order) {
    writeAddress(address, bytes, at)
    at += KEY_BYTES
  }
  writeAddress(blockhash, bytes, at)
  at = writeLength(bytes, at + KEY_BYTES, instructions.length)
  for (const { program, accounts, data } of instructions) {
    bytes[at++] = keys.index(program)
    at = writeLength(bytes, at, accounts.length)
    for (const { address } of accounts) bytes[at++] = keys.index(address)
    at = writeLength(bytes, at, data.length)
    bytes.set(data, at)
    at += data.length
  }
  // The last byte stays 0: no address lookup tables.
  return bytes.toString('base64')
}

/** How many bytes the transaction would have. */
export const measureTransaction = (payer: Address, instructions: readonly Instruction[]): number =>
  measure(collectKeys(payer, instructions), instructions)

function measure(
  { order, signers }: ReturnType<typeof collectKeys>,
  instructions: readonly Instruction[],
): number {
  let bytes = lengthBytes(signers) + signers * SIGNATURE_BYTES + HEADER_BYTES
  // All keys, and the blockhash.
  bytes += lengthBytes(order.length) + (order.length + 1) * KEY_BYTES
  bytes += lengthBytes(instructions.length)
  for (const { accounts, data } of instructions)
    bytes += 1 + lengthBytes(accounts.length) + accounts.length + lengthBytes(data.length) + data.length
  // No address lookup tables.
  return bytes + 1
}
/** The version, and three counts of accounts. */
const HEADER_BYTES = 4
const lengthBytes = (length: number): number => (length < 0x80 ? 1 : length < 0x4000 ? 2 : 3)

function collectKeys(payer: Address, instructions: readonly Instruction[]) {
  const roles = new Map<Address, number>([[payer, WRITABLE_SIGNER]])
  for (const { program, accounts } of instructions) {
    if (!roles.has(program)) roles.set(program, READONLY)
    for (const { address, role } of accounts) {
      const known = roles.get(address)
      const merged = (known ?? READONLY) | role
      if (merged !== known) roles.set(address, merged)
    }
  }
  const counts = [0, 0, 0, 0] as [number, number, number, number]
  for (const role of roles.values()) counts[role as 0] += 1
  // The sort is stable, so accounts of one role stay in the order of first use.
  const order = [...roles.keys()].sort((a, b) => (roles.get(b) as number) - (roles.get(a) as number))
  const indexes = new Map(order.map((address, index) => [address, index]))
  return {
    order,
    signers: counts[WRITABLE_SIGNER] + counts[READONLY_SIGNER],
    readonlySigners: counts[READONLY_SIGNER],
    readonlyOthers: counts[READONLY],
    index: (address: Address) => indexes.get(address) as number,
  }
}

/** The chain's compact form of a length: seven bits in each byte. */
function writeLength(bytes: Uint8Array, at: number, length: number): number {
  let rest = length
  while (rest >= 0x80) {
    bytes[at++] = (rest & 0x7f) | 0x80
    rest >>= 7
  }
  bytes[at] = rest
  return at + 1
}

export class TransactionTooLarge extends RangeError {
  constructor() {
    super(`a transaction has at most ${TRANSACTION_BYTES_MAX} bytes`)
  }
}
