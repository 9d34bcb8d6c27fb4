/** One gzip member made of pieces that were compressed apart. */

/** Deflate output that ends at a byte boundary, with the checksum and length of what it holds. */
export interface DeflatedPiece {
  blocks: readonly Buffer[]
  crc: number
  length: number
}

// No name, no time, unknown system: the same content gives the same bytes.
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])
const FINAL_EMPTY_BLOCK = Buffer.from([0x03, 0x00])

/** Concatenated members are cut short by some readers; one member whose blocks are joined is read whole by all. */
export function joinGzip(pieces: readonly DeflatedPiece[]): Buffer[] {
  let crc = 0
  let length = 0
  for (const piece of pieces) {
    crc = combineCrc32(crc, piece.crc, piece.length)
    length += piece.length
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc, 0)
  trailer.writeUInt32LE(length % 2 ** 32, 4)
  return [HEADER, ...pieces.flatMap(({ blocks }) => blocks), FINAL_EMPTY_BLOCK, trailer]
}

/** A deflate block that holds a few bytes as they are. */
export function storedBlock(content: Buffer): Buffer {
  const block = Buffer.alloc(5 + content.length)
  block.writeUInt16LE(content.length, 1)
  block.writeUInt16LE(content.length ^ 0xffff, 3)
  content.copy(block, 5)
  return block
}

/** The checksum of two pieces in a row, from theirs: `crc(a) · x^(8·|b|) + crc(b)` in the field of CRC-32. */
export function combineCrc32(first: number, second: number, secondLength: number): number {
  return appendCrc32(first, second, crc32Shift(secondLength))
}

/** The same for whoever knows the shift by so many bytes already: finding it is most of the work. */
export function appendCrc32(first: number, second: number, shift: number): number {
  return (multiply(first, shift) ^ second) >>> 0
}

/** What a checksum is multiplied by when so many bytes follow: `x^(8·length)`. */
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
  // Masks where one would write conditions: the bits are random, and guessing them wrong is what would cost.
  for (let bit = 31, shifted = b; bit >= 0; bit -= 1) {
    product ^= shifted & -((a >>> bit) & 1)
    shifted = (shifted >>> 1) ^ (POLYNOMIAL & -(shifted & 1))
  }
  return product
}
