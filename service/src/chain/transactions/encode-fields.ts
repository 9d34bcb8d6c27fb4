/** Fields of instructions, as the chain's programs read them: little-endian, and texts with their length in front. */

export const u16 = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

export const u32 = (value: number): Uint8Array => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

export const u64 = (value: bigint): Uint8Array => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

export const i64 = (value: bigint): Uint8Array => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(value)
  return bytes
}

export const zeros = (length: number): Uint8Array => new Uint8Array(length)

export function encodeText(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  return Buffer.concat([u32(bytes.length), bytes])
}
