/** One gzip member made of parts that were compressed separately. */

export interface DeflatedPart {
  /** Deflate blocks that end at a byte boundary. */
  deflated: Buffer
  /** Checksum of the uncompressed bytes. */
  crc: number
  /** `crc32Shift(length)`: finding it is most of the work of combining checksums. */
  crcShift: number
  /** Number of uncompressed bytes. */
  length: number
}

// No name, no time, unknown system: the same content gives the same bytes.
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const FINAL_EMPTY_BLOCK = Buffer.from([0x03, 0x00])

/** Makes one member, because some readers stop after the first. */
export function joinGzip(parts: readonly DeflatedPart[]): Buffer[] {
  let crc = 0
  let length = 0
  for (const part of parts) {
    crc = combineCrc32(crc, part.crc, part.crcShift)
    length += part.length
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc, 0)
  trailer.writeUInt32LE(length % 2 ** 32, 4)
  return [HEADER, ...parts.map(({ deflated }) => deflated), FINAL_EMPTY_BLOCK, trailer]
}

/** A deflate block that holds a few bytes uncompressed. */
export function storedBlock(content: Buffer): Buffer {
  const block = Buffer.alloc(5 + content.length)
  block.writeUInt16LE(content.length, 1)
  block.writeUInt16LE(content.length ^ 0xffff, 3)
  content.copy(block, 5)
  return block
}

/**
 * The checksum of two consecutive parts, from their own checksums: `crc(a) · x^(8·|b|) + crc(b)` in the field of CRC-32.
 * `secondShift` is `crc32Shift` of the second part's length.
 */
export function combineCrc32(first: number, second: number, secondShift: number): number {
  return (multiply(first, secondShift) ^ second) >>> 0
}

/** The factor for a checksum that is followed by this many bytes: `x^(8·length)`. */
export const crc32Shift = (length: number) => powerOfX(8 * length)

const POLYNOMIAL = 0xedb88320
/** x to the power of 2^k, the bits in CRC order (the highest bit is the lowest power). */
const SQUARES = Array.from({ length: 64 }, () => 0)
SQUARES[0] = 1 << 30
for (let k = 1; k < SQUARES.length; k += 1) {
  const previous = SQUARES[k - 1] as number
  SQUARES[k] = multiply(previous, previous)
}

function powerOfX(exponent: number): number {
  let power = 1 << 31
  for (let rest = exponent, k = 0; rest > 0; rest = Math.floor(rest / 2), k += 1) {
    if (rest % 2 === 1) power = multiply(power, SQUARES[k] as number)
  }
  return power
}

function multiply(a: number, b: number): number {
  let product = 0
  // Masks instead of branches: the bits are random, so a branch would be mispredicted half the time.
  for (let bit = 31, shifted = b; bit >= 0; bit -= 1) {
    product ^= shifted & -((a >>> bit) & 1)
    shifted = (shifted >>> 1) ^ (POLYNOMIAL & -(shifted & 1))
  }
  return product
}
