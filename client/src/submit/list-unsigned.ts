import { encodeBase58 } from '../base58.ts'

const SIGNATURE_BYTES = 64
const ADDRESS_BYTES = 32
/** The first byte of a message with a version; that of a legacy message is a number of signatures. */
const IS_VERSIONED = 0x80
/** The first byte of a transaction of version 1, which begins with its message. */
const VERSION_1 = 0x81
/** Before its addresses: version, header, config mask, blockhash, and the numbers of instructions and addresses. */
const VERSION_1_ADDRESSES_AT = 1 + 3 + 4 + 32 + 1 + 1

/** The addresses whose signatures a transaction in wire format needs and does not have. */
export function listUnsigned(wire: Uint8Array): string[] {
  const { count, signaturesAt, addressesAt } = wire[0] === VERSION_1 ? findInVersion1(wire) : find(wire)
  const part = (at: number, size: number, index: number) =>
    wire.subarray(at + index * size, at + (index + 1) * size)
  // The accounts that sign come first, in the order of their signatures.
  return Array.from({ length: count }, (_, index) => index)
    .filter(index => part(signaturesAt, SIGNATURE_BYTES, index).every(byte => byte === 0))
    .map(index => encodeBase58(part(addressesAt, ADDRESS_BYTES, index)))
}

/** The signatures are at the end. Their number is in the header. */
function findInVersion1(wire: Uint8Array) {
  const count = wire[1] ?? 0
  return {
    count,
    signaturesAt: wire.length - count * SIGNATURE_BYTES,
    addressesAt: VERSION_1_ADDRESSES_AT,
  }
}

function find(wire: Uint8Array) {
  const [count, signaturesAt] = readLength(wire, 0)
  const messageAt = signaturesAt + count * SIGNATURE_BYTES
  const headerAt = messageAt + ((wire[messageAt] ?? 0) & IS_VERSIONED ? 1 : 0)
  const [, addressesAt] = readLength(wire, headerAt + 3)
  return { count, signaturesAt, addressesAt }
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
