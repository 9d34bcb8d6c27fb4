import { encodeBase58 } from '../base58.ts'

const SIGNATURE_BYTES = 64
const ADDRESS_BYTES = 32
/** The first byte of a message with a version; that of a legacy message is a number of signatures. */
const IS_VERSIONED = 0x80

/** The addresses whose signatures a transaction in wire format needs and does not have. */
export function listUnsigned(wire: Uint8Array): string[] {
  const [count, signaturesAt] = readLength(wire, 0)
  const messageAt = signaturesAt + count * SIGNATURE_BYTES
  const headerAt = messageAt + ((wire[messageAt] ?? 0) & IS_VERSIONED ? 1 : 0)
  // The accounts that sign come first, in the order of their signatures.
  const [, accountsAt] = readLength(wire, headerAt + 3)
  const part = (at: number, size: number, index: number) =>
    wire.subarray(at + index * size, at + (index + 1) * size)
  return Array.from({ length: count }, (_, index) => index)
    .filter(index => part(signaturesAt, SIGNATURE_BYTES, index).every(byte => byte === 0))
    .map(index => encodeBase58(part(accountsAt, ADDRESS_BYTES, index)))
}

/** A length takes one to three bytes of seven bits each. Returns it with the offset of what follows. */
function readLength(bytes: Uint8Array, at: number): [length: number, next: number] {
  let length = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at] ?? 0
    at += 1
    length |= (byte & 0x7f) << shift
    if (byte < 0x80) return [length, at]
  }
}
