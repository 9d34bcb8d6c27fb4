import type { Address } from '@slipway/launch-model/programs'
import { getAddressDecoder } from '@solana/kit'
import { refuse } from './unexpected.ts'

export type FieldReader = ReturnType<typeof createFieldReader>

/**
 * Reads an instruction's data field by field: little-endian, and texts with their length in front. Refuses data that is
 * too short, and `end` data that is too long, so that no byte goes unread.
 */
export function createFieldReader(data: Uint8Array) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  let at = 0
  function take(length: number): number {
    if (at + length > data.length) refuse('The transaction has an instruction that is too short.')
    at += length
    return at - length
  }
  const bytes = (length: number) => {
    const start = take(length)
    return data.subarray(start, start + length)
  }
  const u32 = () => view.getUint32(take(4), true)
  return {
    u8: () => view.getUint8(take(1)),
    u16: () => view.getUint16(take(2), true),
    u32,
    u64: () => view.getBigUint64(take(8), true),
    i64: () => view.getBigInt64(take(8), true),
    bytes,
    address: (): Address => getAddressDecoder().decode(bytes(32)),
    text: () => decodeText(bytes(u32())),
    /** Padding and reserved bytes. */
    zeros(length: number) {
      if (bytes(length).some(byte => byte !== 0))
        refuse('The transaction has data in a place that must be empty.')
    },
    end() {
      if (at !== data.length) refuse('The transaction has an instruction with more data than it needs.')
    },
  }
}

export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return refuse('The transaction has a text that is not valid.')
  }
}
