/** A text as the chain's programs read it: UTF-8, with its length in front as a little-endian number of four bytes. */
export function encodeText(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(bytes.length)
  return Buffer.concat([length, bytes])
}
