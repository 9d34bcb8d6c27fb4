import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import {
  type Address,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  type ReadonlyUint8Array,
} from '@solana/kit'
import { memoize } from '../memoize.ts'
import { bytesOf } from './address-bytes.ts'

/** The most bytes of a transaction: of versions legacy and 0, and of version 1. */
export const TRANSACTION_BYTES_MAX = 1_232
export const V1_BYTES_MAX = 4_096
const ACCOUNTS_MAX = 256
const V1_ACCOUNTS_MAX = 64
const V1_INSTRUCTIONS_MAX = 64
const V1_SIGNATURES_MAX = 12
/** The first byte of version 1. In the others, it is the number of signatures. */
const V1_PREFIX = 0x81

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

/** What the header of a version 1 message sets; null where it doesn't. A limit that is not set is the lowest. */
export type TransactionConfig = {
  /** In lamports, for the whole transaction. */
  readonly priorityFee: bigint | null
  readonly computeUnitLimit: number | null
  readonly loadedAccountsDataSizeLimit: number | null
  readonly heapSize: number | null
}

/** A parsed message: well-formed, but its lookup tables have not been checked. */
export type ParsedMessage = {
  readonly version: TransactionVersion
  readonly staticKeys: readonly Address[]
  readonly signers: number
  readonly readonlySigners: number
  readonly readonlyNonSigners: number
  readonly blockhash: string
  readonly instructions: readonly CompiledInstruction[]
  readonly lookups: readonly AddressTableLookup[]
  /** Of version 1 alone. */
  readonly config?: TransactionConfig
}

/** A parsed transaction. Its signatures have not been checked. */
export type WireTransaction = ParsedMessage & {
  readonly wire: Uint8Array
  readonly message: Uint8Array
  readonly signatures: readonly Uint8Array[]
  /** The first signature in base58, which identifies the transaction. */
  readonly signature: string
}

/** Thrown for bytes that are not a transaction; a node reports these as invalid parameters. */
export class MalformedTransaction extends Error {}

const base58 = getBase58Decoder()
// Creating one takes about as long as using it.
const transactionDecoder = getTransactionDecoder()
const messageDecoder = getCompiledTransactionMessageDecoder()
const messageEncoder = getCompiledTransactionMessageEncoder()

export function parseTransaction(wire: Uint8Array): WireTransaction {
  const decoded = decodeOrRefuse(
    transactionDecoder,
    wire,
    'solana_transaction::versioned::VersionedTransaction',
  )
  const message = parseMessage(decoded.messageBytes, 'solana_transaction::versioned::VersionedTransaction')
  const signatures = Object.values(decoded.signatures).map(
    bytes => new Uint8Array(bytes ?? new Uint8Array(64)),
  )
  if (signatures.length !== message.signers) throw new MalformedTransaction(BAD_OFFSETS)
  return {
    ...message,
    wire,
    message: new Uint8Array(decoded.messageBytes),
    signatures,
    signature: base58.decode(signatures[0] as Uint8Array),
  }
}

/** `type` is what a node calls these bytes in its errors. */
export function parseMessage(
  bytes: ReadonlyUint8Array,
  type = 'solana_message::versions::VersionedMessage',
): ParsedMessage {
  const decoded = decodeOrRefuse(messageDecoder, bytes, type)
  assertCanonical(decoded, bytes)
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = decoded.header
  const message: ParsedMessage = {
    version: decoded.version,
    staticKeys: decoded.staticAccounts,
    signers: numSignerAccounts,
    readonlySigners: numReadonlySignerAccounts,
    readonlyNonSigners: numReadonlyNonSignerAccounts,
    blockhash: decoded.lifetimeToken,
    ...(decoded.version === 1
      ? {
          instructions: decoded.instructionHeaders.map(({ programAccountIndex }, at) => ({
            programIndex: programAccountIndex,
            accounts: decoded.instructionPayloads[at]?.instructionAccountIndices ?? [],
            data: new Uint8Array(decoded.instructionPayloads[at]?.instructionData ?? []),
          })),
          lookups: [],
          config: readConfig(decoded),
        }
      : {
          instructions: decoded.instructions.map(ix => ({
            programIndex: ix.programAddressIndex,
            accounts: ix.accountIndices ?? [],
            data: new Uint8Array(ix.data ?? []),
          })),
          lookups: (('addressTableLookups' in decoded ? decoded.addressTableLookups : undefined) ?? []).map(
            l => ({
              table: l.lookupTableAddress,
              writable: [...l.writableIndexes],
              readonly: [...l.readonlyIndexes],
            }),
          ),
        }),
  }
  if (!isSane(message)) throw new MalformedTransaction(BAD_OFFSETS)
  return message
}

function isSane({
  version,
  staticKeys,
  signers,
  instructions,
  lookups,
  config,
  ...message
}: ParsedMessage): boolean {
  const total = staticKeys.length + lookups.reduce((sum, l) => sum + l.writable.length + l.readonly.length, 0)
  const fits =
    version === 1
      ? total <= V1_ACCOUNTS_MAX &&
        new Set(staticKeys).size === total &&
        instructions.length <= V1_INSTRUCTIONS_MAX &&
        signers <= V1_SIGNATURES_MAX &&
        isHeapSize(config?.heapSize ?? null)
      : total <= ACCOUNTS_MAX
  return (
    fits &&
    lookups.every(l => l.writable.length + l.readonly.length > 0) &&
    signers > message.readonlySigners &&
    signers + message.readonlyNonSigners <= staticKeys.length &&
    instructions.every(
      ix =>
        ix.programIndex > 0 &&
        ix.programIndex < staticKeys.length &&
        ix.accounts.every(index => index < total),
    )
  )
}

const isHeapSize = (bytes: number | null): boolean =>
  bytes === null || (bytes % 1_024 === 0 && bytes >= 32_768 && bytes <= 262_144)

/** The bits of the mask that say which values follow, in their order. The fee's value is one for both of its bits. */
const CONFIG_BITS = {
  priorityFee: 0b11,
  computeUnitLimit: 0b100,
  loadedAccountsDataSizeLimit: 0b1000,
  heapSize: 0b1_0000,
}
const CONFIG_MASK = 0b1_1111

function readConfig({
  configMask,
  configValues,
}: Extract<CompiledMessage, { version: 1 }>): TransactionConfig {
  // Kit ignores bits that it doesn't know.
  if ((configMask & ~CONFIG_MASK) !== 0)
    throw new MalformedTransaction('invalid transaction: Transaction failed to sanitize its config mask')
  const values = configValues.map(({ value }) => value)
  const next = (bits: number) => ((configMask & bits) === bits ? (values.shift() ?? null) : null)
  const number = (bits: number) => {
    const value = next(bits)
    return value === null ? null : Number(value)
  }
  const fee = next(CONFIG_BITS.priorityFee)
  return {
    priorityFee: fee === null ? null : BigInt(fee),
    computeUnitLimit: number(CONFIG_BITS.computeUnitLimit),
    loadedAccountsDataSizeLimit: number(CONFIG_BITS.loadedAccountsDataSizeLimit),
    heapSize: number(CONFIG_BITS.heapSize),
  }
}

const BAD_OFFSETS = 'invalid transaction: Transaction failed to sanitize accounts offsets correctly'

function decodeOrRefuse<T>(
  decoder: { decode(bytes: ReadonlyUint8Array): T },
  bytes: ReadonlyUint8Array,
  type: string,
): T {
  try {
    return decoder.decode(bytes)
  } catch (error) {
    throw new MalformedTransaction(`failed to deserialize ${type}: ${(error as Error).message}`)
  }
}

/** The message of a well-formed transaction. In version 1, the signatures follow it; in the others, it follows them. */
export function messageOf(wire: Uint8Array): Uint8Array {
  if (wire[0] === V1_PREFIX) return wire.subarray(0, wire.length - 64 * (wire[1] as number))
  return wire.subarray(1 + 64 * (wire[0] as number))
}

/** The bytes of a transaction. No transaction has as many as 128 signatures, so their number is one byte. */
export function encodeWire({
  signatures,
  message,
}: Pick<WireTransaction, 'signatures' | 'message'>): Uint8Array {
  if (message[0] === V1_PREFIX) return new Uint8Array(Buffer.concat([message, ...signatures]))
  return new Uint8Array(Buffer.concat([Uint8Array.of(signatures.length), ...signatures, message]))
}

/** Signatures of zeros, for transactions of which none are checked. */
export const unsigned = (count: number): Uint8Array[] => Array.from({ length: count }, () => NO_SIGNATURE)
const NO_SIGNATURE = new Uint8Array(64)

type CompiledMessage = ReturnType<typeof messageDecoder.decode>

/**
 * Refuses a message that does not encode to the same bytes again. The VM's own decoder aborts the process on bytes that
 * it cannot decode, so it must never get a message that it could read differently.
 */
function assertCanonical(message: CompiledMessage, given: ReadonlyUint8Array): void {
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
