const MAGIC = 0xfd2fb528
/** One segment, its size in four bytes, no checksum. */
const DESCRIPTOR = 0b1010_0000
const HEAD_BYTES = 9
const BLOCK_HEAD_BYTES = 3
const BLOCK_BYTES_MAX = 128 * 1024

/**
 * Wraps bytes in a Zstandard frame with uncompressed blocks, which every decoder accepts: Node has no compressor before
 * 22.15. Solana's command line requests accounts in this encoding only.
 */
export function zstdFrame(bytes: Uint8Array): Buffer {
  const blocks = Math.max(1, Math.ceil(bytes.length / BLOCK_BYTES_MAX))
  const frame = Buffer.alloc(HEAD_BYTES + blocks * BLOCK_HEAD_BYTES + bytes.length)
  frame.writeUInt32LE(MAGIC, 0)
  frame[4] = DESCRIPTOR
  frame.writeUInt32LE(bytes.length, 5)
  let at = HEAD_BYTES
  for (let block = 0; block < blocks; block++) {
    const part = bytes.subarray(block * BLOCK_BYTES_MAX, (block + 1) * BLOCK_BYTES_MAX)
    // The lowest bit marks the last block; the next two are its type, where 0 means uncompressed.
    const last = block === blocks - 1 ? 1 : 0
    frame.writeUIntLE((part.length << 3) | last, at, BLOCK_HEAD_BYTES)
    frame.set(part, at + BLOCK_HEAD_BYTES)
    at += BLOCK_HEAD_BYTES + part.length
  }
  return frame
}
