const MAGIC = 0xfd2fb528
/** One segment, its size in four bytes, no checksum. */
const DESCRIPTOR = 0b1010_0000
const HEAD_BYTES = 9
const BLOCK_HEAD_BYTES = 3
const BLOCK_BYTES_MAX = 128 * 1024

/**
 * Bytes as a Zstandard frame whose blocks are stored as they are. Every reader of the format takes it (the command line
 * of the chain asks for nothing else), and Node has no compressor of its own before 22.15.
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
    // The lowest bit marks the last block, the next two its kind: 0 is stored as it is.
    const last = block === blocks - 1 ? 1 : 0
    frame.writeUIntLE((part.length << 3) | last, at, BLOCK_HEAD_BYTES)
    frame.set(part, at + BLOCK_HEAD_BYTES)
    at += BLOCK_HEAD_BYTES + part.length
  }
  return frame
}
