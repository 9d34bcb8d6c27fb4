import { addressAt } from '@slipway/launch-model/bytes/base58'
import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../account-reader.ts'

/**
 * A decoded account, or the reason why it could not be decoded. Accounts can hold anything, so bad bytes never throw.
 */
export type Decoded<T> = Found<T> | Absent

export type Found<T> = { exists: true; address: Address } & T

interface Absent {
  exists: false
  address: Address
  reason: Absence
}

type Absence =
  /** There is no account at the address. */
  | 'missing'
  /** The account of another program. */
  | 'foreign'
  /** A burnt asset: the program leaves one byte behind. */
  | 'burnt'
  /** Another kind of account of the same program, such as a collection instead of an asset. */
  | 'other-kind'
  /** The first byte is right, but the rest is not. */
  | 'malformed'

export type ExistingAccount = Extract<ChainAccount, { exists: true }>

/**
 * Decodes an account of one of `programs`. `decode` returns a new object; anything that it throws means that the
 * account is malformed.
 */
export function decodeProgramAccount<T extends object>(
  account: ChainAccount,
  programs: readonly Address[],
  decode: (account: ExistingAccount) => T | Absence,
): Decoded<T> {
  const { address } = account
  if (!account.exists) return { exists: false, address, reason: 'missing' }
  if (!programs.includes(account.owner)) return { exists: false, address, reason: 'foreign' }
  let value: T | Absence
  try {
    value = decode(account)
  } catch {
    value = 'malformed'
  }
  if (typeof value === 'string') return { exists: false, address, reason: value }
  // Not a copy: a bucket has some thirty fields.
  return Object.assign(value, { exists: true as const, address })
}

/** Reads the fields of an account one after another. Every method throws a RangeError where the bytes end too early. */
export interface ByteReader {
  /** Where the next field begins. */
  offset: number
  u8(): number
  u32(): number
  u64(): bigint
  address(): Address
  /** A text with its length in front, without the NUL bytes that some programs pad it with. */
  text(): string
  /** The length of a list. At the end of the account it is 0, as in the official serializers. */
  length(): number
  /** Whether an optional value follows. At the end of the account it does not, as in the official serializers. */
  hasValue(): boolean
  skip(bytes: number): void
}

const ADDRESS_BYTES = 32
const decoder = new TextDecoder()

export function createByteReader(data: Uint8Array, offset = 0): ByteReader {
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  /** Moves past a field and returns where it began. */
  const advance = (bytes: number) => {
    const start = reader.offset
    if (start + bytes > data.length) throw new RangeError('a field ends after the account')
    reader.offset = start + bytes
    return start
  }
  const reader: ByteReader = {
    offset,
    u8: () => view.getUint8(advance(1)),
    u32: () => view.getUint32(advance(4), true),
    u64: () => view.getBigUint64(advance(8), true),
    address: () => addressAt(data, advance(ADDRESS_BYTES)),
    text() {
      const length = reader.u32()
      const start = advance(length)
      return decoder.decode(data.subarray(start, start + length)).replaceAll('\0', '')
    },
    length: () => (reader.offset === data.length ? 0 : reader.u32()),
    hasValue: () => reader.offset < data.length && reader.u8() !== 0,
    skip: bytes => void advance(bytes),
  }
  return reader
}
