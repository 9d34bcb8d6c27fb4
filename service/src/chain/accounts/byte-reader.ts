import type { Address } from '@slipway/schema/address'
import { addressAt } from '../addresses/base58.ts'

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
