import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import {
  type Address,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
} from '@solana/kit'
import { memoize } from '../memoize.ts'
import { bytesOf } from './address-bytes.ts'

export const TRANSACTION_BYTES_MAX = 1232
const ACCOUNTS_MAX = 256

export type CompiledInstruction = {
  readonly programIndex: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
}

type AddressTableLookup = {
  readonly table: Address
  readonly writable: readonly number[]
  readonly readonly: readonly number[]
}

export type TransactionVersion = 'legacy' | 0 | 1

/** A parsed transaction: well-formed, but its signatures and lookup tables have not been checked. */
export type WireTransaction = {
  readonly wire: Uint8Array
  readonly message: Uint8Array
  readonly version: 'legacy' | 0
  readonly signatures: readonly Uint8Array[]
  /** The first signature in base58, which identifies the transaction. */
  readonly signature: string
  readonly staticKeys: readonly Address[]
  readonly signers: number
  readonly readonlySigners: number
  readonly readonlyNonSigners: number
  readonly blockhash: string
  readonly instructions: readonly CompiledInstruction[]
  readonly lookups: readonly AddressTableLookup[]
}

/** Thrown for bytes that are not a transaction; a node reports these as invalid parameters. */
export class MalformedTransaction extends Error {}

const base58 = getBase58Decoder()
// Creating one takes about as long as using it.
const transactionDecoder = getTransactionDecoder()
const messageDecoder = getCompiledTransactionMessageDecoder()
const messageEncoder = getCompiledTransactionMessageEncoder()

export function parseTransaction(wire: Uint8Array): WireTransaction {
  let decoded: ReturnType<typeof transactionDecoder.decode>
  let message: ReturnType<typeof messageDecoder.decode>
  try {
    decoded = transactionDecoder.decode(wire)
    message = messageDecoder.decode(decoded.messageBytes)
  } catch (error) {
    throw new MalformedTransaction(
      `failed to deserialize solana_transaction::versioned::VersionedTransaction: ${(error as Error).message}`,
    )
  }
  if (message.version !== 'legacy' && message.version !== 0) {
    throw new MalformedTransaction('invalid transaction: Transaction version is unsupported')
  }
  assertCanonical(message, decoded.messageBytes)
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header
  const keys = message.staticAccounts
  const signatures = Object.values(decoded.signatures).map(
    bytes => new Uint8Array(bytes ?? new Uint8Array(64)),
  )
  const lookups = ('addressTableLookups' in message ? message.addressTableLookups : undefined) ?? []
  const total =
    keys.length + lookups.reduce((sum, l) => sum + l.writableIndexes.length + l.readonlyIndexes.length, 0)
  const valid =
    total <= ACCOUNTS_MAX &&
    lookups.every(l => l.writableIndexes.length + l.readonlyIndexes.length > 0) &&
    numSignerAccounts > numReadonlySignerAccounts &&
    numSignerAccounts + numReadonlyNonSignerAccounts <= keys.length &&
    signatures.length === numSignerAccounts &&
    message.instructions.every(
      ix =>
        ix.programAddressIndex > 0 &&
        ix.programAddressIndex < keys.length &&
        (ix.accountIndices ?? []).every(index => index < total),
    )
  if (!valid) {
    throw new MalformedTransaction(
      'invalid transaction: Transaction failed to sanitize accounts offsets correctly',
    )
  }
  return {
    wire,
    message: new Uint8Array(decoded.messageBytes),
    version: message.version,
    signatures,
    signature: base58.decode(signatures[0] as Uint8Array),
    staticKeys: keys,
    signers: numSignerAccounts,
    readonlySigners: numReadonlySignerAccounts,
    readonlyNonSigners: numReadonlyNonSignerAccounts,
    blockhash: message.lifetimeToken,
    instructions: message.instructions.map(ix => ({
      programIndex: ix.programAddressIndex,
      accounts: ix.accountIndices ?? [],
      data: new Uint8Array(ix.data ?? []),
    })),
    lookups: lookups.map(l => ({
      table: l.lookupTableAddress,
      writable: [...l.writableIndexes],
      readonly: [...l.readonlyIndexes],
    })),
  }
}

/** The message of a well-formed transaction. It follows the signatures, whose number is the first byte. */
export const messageOf = (wire: Uint8Array): Uint8Array => wire.subarray(1 + 64 * (wire[0] as number))

/** The bytes of a transaction. No transaction has as many as 128 signatures, so their number is one byte. */
export function encodeWire({
  signatures,
  message,
}: Pick<WireTransaction, 'signatures' | 'message'>): Uint8Array {
  const wire = new Uint8Array(1 + 64 * signatures.length + message.length)
  wire[0] = signatures.length
  signatures.forEach((signature, at) => void wire.set(signature, 1 + 64 * at))
  wire.set(message, 1 + 64 * signatures.length)
  return wire
}

/** Signatures of zeros, for transactions of which none are checked. */
export const unsigned = (count: number): Uint8Array[] => Array.from({ length: count }, () => NO_SIGNATURE)
const NO_SIGNATURE = new Uint8Array(64)

type CompiledMessage = Parameters<typeof messageEncoder.encode>[0]

/**
 * Refuses a message that does not encode to the same bytes again. The VM's own decoder aborts the process on bytes that
 * it cannot decode, so it must never get a message that it could read differently.
 */
function assertCanonical(message: CompiledMessage, given: ArrayLike<number>): void {
  let written: Uint8Array
  try {
    written = new Uint8Array(messageEncoder.encode(message))
  } catch (error) {
    throw new MalformedTransaction(`invalid transaction: ${(error as Error).message}`)
  }
  if (Buffer.compare(written, Uint8Array.from(given)) !== 0) {
    throw new MalformedTransaction(
      'failed to deserialize solana_transaction::versioned::VersionedTransaction: io error: trailing or missing bytes',
    )
  }
}

const publicKey = memoize(10_000, (address: Address): KeyObject => {
  const x = Buffer.from(bytesOf(address)).toString('base64url')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
})

/** Caches successful checks: a transaction that is sent with preflight is verified twice. */
const verified = new WeakSet<WireTransaction>()

/** Marks a transaction that this process has signed itself. */
export function markVerified(tx: WireTransaction): WireTransaction {
  verified.add(tx)
  return tx
}

export function verifySignatures(tx: WireTransaction): boolean {
  if (verified.has(tx)) return true
  const good = tx.signatures.every((signature, index) =>
    verify(null, tx.message, publicKey(tx.staticKeys[index] as Address), signature),
  )
  if (good) verified.add(tx)
  return good
}
