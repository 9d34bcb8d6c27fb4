import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import {
  type Address,
  getBase58Decoder,
  getBase58Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
} from '@solana/kit'
import { remembered } from '../remembered.ts'

export const TRANSACTION_BYTES_MAX = 1232
const ACCOUNTS_MAX = 256

export type Instruction = {
  readonly programIndex: number
  readonly accounts: readonly number[]
  readonly data: Uint8Array
}

export type AddressTableLookup = {
  readonly table: Address
  readonly writable: readonly number[]
  readonly readonly: readonly number[]
}

/** A transaction as it came over the wire: well-formed, but nothing is known yet of its signatures or its tables. */
export type WireTransaction = {
  readonly wire: Uint8Array
  readonly message: Uint8Array
  readonly version: 'legacy' | 0
  readonly signatures: readonly Uint8Array[]
  /** Base58 of the first signature: the transaction's name. */
  readonly signature: string
  readonly staticKeys: readonly Address[]
  readonly signers: number
  readonly readonlySigners: number
  readonly readonlyNonSigners: number
  readonly blockhash: string
  readonly instructions: readonly Instruction[]
  readonly lookups: readonly AddressTableLookup[]
}

/** Bytes that are no transaction at all; a node refuses these as bad parameters. */
export class MalformedTransaction extends Error {}

const base58 = getBase58Decoder()

export function parseTransaction(wire: Uint8Array): WireTransaction {
  let decoded: ReturnType<ReturnType<typeof getTransactionDecoder>['decode']>
  let message: ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>
  try {
    decoded = getTransactionDecoder().decode(wire)
    message = getCompiledTransactionMessageDecoder().decode(decoded.messageBytes)
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
  const sane =
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
  if (!sane) {
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

/** What was signed, of a well-formed transaction: in front are the signatures, so few that their number is one byte. */
export const messageOf = (wire: Uint8Array): Uint8Array => wire.subarray(1 + 64 * (wire[0] as number))

type CompiledMessage = Parameters<ReturnType<typeof getCompiledTransactionMessageEncoder>['encode']>[0]

/**
 * Bytes that mean something else to another reader are refused. The virtual machine's own reader ends the whole process
 * over bytes that it cannot read, so it must never see any that do not come out the same when they are written again.
 */
function assertCanonical(message: CompiledMessage, given: ArrayLike<number>): void {
  let written: Uint8Array
  try {
    written = new Uint8Array(getCompiledTransactionMessageEncoder().encode(message))
  } catch (error) {
    throw new MalformedTransaction(`invalid transaction: ${(error as Error).message}`)
  }
  if (Buffer.compare(written, Uint8Array.from(given)) !== 0) {
    throw new MalformedTransaction(
      'failed to deserialize solana_transaction::versioned::VersionedTransaction: io error: trailing or missing bytes',
    )
  }
}

// The fixed head of an Ed25519 public key in DER: node has no other way to take a raw one.
const DER_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
const base58Bytes = getBase58Encoder()

const publicKey = remembered(10_000, (address: Address): KeyObject => {
  const raw = Uint8Array.from(base58Bytes.encode(address))
  return createPublicKey({ key: Buffer.concat([DER_HEAD, raw]), format: 'der', type: 'spki' })
})

/** What is sent with a preflight is looked at twice; the answer cannot change in between. */
const verified = new WeakSet<WireTransaction>()

export function verifySignatures(tx: WireTransaction): boolean {
  if (verified.has(tx)) return true
  const good = tx.signatures.every((signature, index) =>
    verify(null, tx.message, publicKey(tx.staticKeys[index] as Address), signature),
  )
  if (good) verified.add(tx)
  return good
}
