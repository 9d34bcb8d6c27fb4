import { sha256 } from '#sha256'

const MARKER = new TextEncoder().encode('ProgramDerivedAddress')
const BUMP_MAX = 255
const SEED_BYTES_MAX = 32
/** The bump is one more. */
const SEEDS_MAX = 15

/**
 * The address that a program signs for with these seeds: the first one off the curve, with the bump counted down from
 * 255.
 */
export function findProgramAddress(
  program: Uint8Array,
  seeds: readonly Uint8Array[],
): [address: Uint8Array, bump: number] {
  if (seeds.length > SEEDS_MAX) throw new RangeError('too many seeds')
  let length = 1 + program.length + MARKER.length
  for (const seed of seeds) {
    if (seed.length > SEED_BYTES_MAX) throw new RangeError('a seed is too long')
    length += seed.length
  }
  const hashed = new Uint8Array(length)
  let at = 0
  for (const seed of seeds) {
    hashed.set(seed, at)
    at += seed.length
  }
  hashed.set(program, at + 1)
  hashed.set(MARKER, at + 1 + program.length)
  for (let bump = BUMP_MAX; bump >= 0; bump--) {
    hashed[at] = bump
    const address = sha256(hashed)
    if (!isOnCurve(address)) return [address, bump]
  }
  throw new RangeError('no address for these seeds')
}

/**
 * A program-derived address must not be a point of the ed25519 curve. The libraries compute a square root to find out,
 * which takes 180 microseconds. A Jacobi symbol shows that the root exists in 8.
 */
const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n
const SIGN = 0x80

const bytesOfY = new Uint8Array(32)
const wordsOfY = new BigUint64Array(bytesOfY.buffer)

/** Whether 32 bytes are a point of the curve. Agrees with `isOnCurve` of web3.js, which the official clients use. */
export function isOnCurve(bytes: Uint8Array): boolean {
  bytesOfY.set(bytes)
  const last = bytesOfY[31] as number
  bytesOfY[31] = last & ~SIGN
  const [w0, w1, w2, w3] = wordsOfY as unknown as [bigint, bigint, bigint, bigint]
  const y = (w3 << 192n) | (w2 << 128n) | (w1 << 64n) | w0
  if (y >= P) return false
  const yy = (y * y) % P
  // x² = (y² - 1) / (dy² + 1), and a quotient is a square exactly when the product is.
  const product = ((yy + P - 1n) * (((D * yy) % P) + 1n)) % P
  // x is 0, which has only one sign.
  if (product === 0n) return (last & SIGN) === 0
  return isSquare(product)
}

/** Limbs of 26 bits, lowest first, so that sums of products stay exact in a double. */
const LIMBS = 10
const BITS = 26
const BASE = 2 ** BITS
const HALVES = Float64Array.from({ length: BITS + 1 }, (_, twos) => 2 ** -twos)
const prime = new Float64Array(LIMBS)
split(P, prime)
const a = new Float64Array(LIMBS)
const n = new Float64Array(LIMBS)

/**
 * Whether a number from 1 to P - 1 is a square modulo P: the binary Jacobi algorithm, 26 bits at a time. The highest
 * bits of both numbers decide which one is subtracted, and the lowest are exact. Only then are the whole numbers
 * replaced by the same sums of each other.
 */
export function isSquare(value: bigint): boolean {
  split(value, a)
  n.set(prime)
  let flips = 0
  for (let length = LIMBS; ; ) {
    while (length > 1 && a[length - 1] === 0 && n[length - 1] === 0) length--
    let highA = readHigh(a, length)
    let highN = readHigh(n, length)
    let lowA = readLow(a)
    let lowN = readLow(n)
    // The new a is aa times a plus an times n, and likewise for n.
    let aa = 1
    let an = 0
    let na = 0
    let nn = 1
    for (let rest = BITS; ; ) {
      const twos = Math.min(rest, lowA === 0 ? BITS : 31 - Math.clz32(lowA & -lowA))
      lowA >>= twos
      highA *= HALVES[twos] as number
      na <<= twos
      nn <<= twos
      // Two is not a square modulo a number that is 3 or 5 modulo 8.
      flips ^= twos & ((lowN >> 1) ^ (lowN >> 2))
      rest -= twos
      if (rest === 0) break
      if (highA < highN) {
        // Quadratic reciprocity flips the sign if both are 3 modulo 4.
        flips ^= (lowA & lowN & 2) >> 1
        const low = lowA
        lowA = lowN
        lowN = low
        const high = highA
        highA = highN
        highN = high
        const ofA = aa
        aa = na
        na = ofA
        const ofN = an
        an = nn
        nn = ofN
      }
      lowA = (lowA - lowN) | 0
      highA -= highN
      aa = (aa - na) | 0
      an = (an - nn) | 0
    }
    const signs = replaceBoth(length, aa, an, na, nn)
    // Where the highest bits are equal, the wrong number is subtracted. -1 is not a square modulo a number that is 3
    // modulo 4.
    if (signs < 0) flips ^= (readLow(n) & 2) >> 1
    if (isZero(a, length)) return (flips & 1) === 0
  }
}

/** Replaces a and n, which are then positive. Returns the sign that a had. */
function replaceBoth(length: number, aa: number, an: number, na: number, nn: number): number {
  let carryA = 0
  let carryN = 0
  for (let index = 0; index < length; index++) {
    const limbA = a[index] as number
    const limbN = n[index] as number
    const sumA = aa * limbA + an * limbN + carryA
    const sumN = na * limbA + nn * limbN + carryN
    carryA = Math.floor(sumA / BASE)
    carryN = Math.floor(sumN / BASE)
    // The lowest limbs of both sums are 0, which divides them.
    if (index > 0) {
      a[index - 1] = sumA - carryA * BASE
      n[index - 1] = sumN - carryN * BASE
    }
  }
  a[length - 1] = carryA
  n[length - 1] = carryN
  if (carryA < 0) negate(a, length)
  if (carryN < 0) negate(n, length)
  return carryA
}

function negate(limbs: Float64Array, length: number): void {
  let carry = 0
  for (let index = 0; index < length; index++) {
    const difference = carry - (limbs[index] as number)
    carry = index < length - 1 && difference < 0 ? -1 : 0
    limbs[index] = difference - carry * BASE
  }
}

const readHigh = (limbs: Float64Array, length: number) =>
  ((limbs[length - 1] as number) * BASE + (length > 1 ? (limbs[length - 2] as number) : 0)) * BASE +
  (length > 2 ? (limbs[length - 3] as number) : 0)

/** The lowest 32 bits: after 26 of them are removed, enough are left for the remainder modulo 8. */
const readLow = (limbs: Float64Array) => (limbs[0] as number) | ((limbs[1] as number) << BITS)

function isZero(limbs: Float64Array, length: number): boolean {
  for (let index = 0; index < length; index++) if (limbs[index] !== 0) return false
  return true
}

function split(value: bigint, limbs: Float64Array): void {
  for (let index = 0, rest = value; index < LIMBS; index++, rest >>= 26n) {
    limbs[index] = Number(BigInt.asUintN(BITS, rest))
  }
}
