import type { Address } from '@slipway/schema/address'

/**
 * A base58 codec for exactly 32 bytes. General codecs take 25 to 55 microseconds for an address, and a transaction
 * has a dozen of them. This one relies on the length, and only uses integers that a double holds exactly.
 */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BYTES = 32
const CHARACTERS_MAX = 44
const NONE = 255
const VALUES = new Uint8Array(128).fill(NONE)
for (const [value, character] of [...ALPHABET].entries()) VALUES[character.charCodeAt(0)] = value

/** Five characters at a time: 58 ** 5 times 2 ** 16 still fits. */
const CHUNK = 58 ** 5
const CHUNKS = 9
const chunks = new Float64Array(CHUNKS)
const characters = new Uint8Array(CHUNKS * 5)

/** Programs, mints and wallets recur, so the last texts are kept. Two of its bytes say where an address is kept. */
const KEPT = 4_096
const keptBytes = new Uint8Array(KEPT * BYTES)
const keptTexts = new Array<Address>(KEPT).fill('1'.repeat(BYTES) as Address)

/** The address at `offset`. Throws if fewer than 32 bytes follow. */
export function addressAt(bytes: Uint8Array, offset = 0): Address {
  if (offset + BYTES > bytes.length) throw new RangeError('an address is 32 bytes')
  const place = ((bytes[offset + 15] as number) * 256 + (bytes[offset + 16] as number)) % KEPT
  const kept = place * BYTES
  let same = 0
  while (same < BYTES && keptBytes[kept + same] === bytes[offset + same]) same++
  if (same === BYTES) return keptTexts[place] as Address
  for (let at = 0; at < BYTES; at++) keptBytes[kept + at] = bytes[offset + at] as number
  const text = encodeAddress(bytes, offset)
  keptTexts[place] = text
  return text
}

function encodeAddress(bytes: Uint8Array, offset: number): Address {
  chunks.fill(0)
  let used = 0
  for (let at = offset; at < offset + BYTES; at += 2) {
    let carry = (bytes[at] as number) * 256 + (bytes[at + 1] as number)
    for (let index = 0; index < used; index++) {
      const value = (chunks[index] as number) * 65_536 + carry
      carry = Math.floor(value / CHUNK)
      chunks[index] = value - carry * CHUNK
    }
    if (carry > 0) chunks[used++] = carry
  }
  let end = characters.length
  for (let index = 0; index < used; index++) {
    let value = chunks[index] as number
    for (let digit = 0; digit < 5; digit++) {
      const rest = Math.floor(value / 58)
      characters[--end] = ALPHABET.charCodeAt(value - rest * 58)
      value = rest
    }
  }
  const ONE = 49
  while (end < characters.length && characters[end] === ONE) end++
  let text = ''
  for (let at = offset; at < offset + BYTES && bytes[at] === 0; at++) text += '1'
  return (text + String.fromCharCode.apply(null, characters.subarray(end) as unknown as number[])) as Address
}

/** The address at `offset`, for fields in which 32 zeros mean no key. */
export function keyAt(bytes: Uint8Array, offset: number): Address | undefined {
  const key = addressAt(bytes, offset)
  return key === NO_KEY ? undefined : key
}
const NO_KEY = '1'.repeat(BYTES)

/** Limbs of 28 bits: a limb times 58 ** 4 still fits. */
const LIMB = 2 ** 28
const LIMBS = 10
const limbs = new Float64Array(LIMBS)

/** The 32 bytes of an address, in a new array. Throws if the text is not an address. */
export function addressBytes(address: string): Uint8Array {
  const bytes = new Uint8Array(BYTES)
  writeAddress(address, bytes, 0)
  return bytes
}

/** Writes the 32 bytes of an address at `offset`. */
export function writeAddress(address: string, target: Uint8Array, offset: number): void {
  const { length } = address
  if (length < BYTES || length > CHARACTERS_MAX) throw notAnAddress(address)
  limbs.fill(0)
  let used = 0
  for (let at = 0; at < length; ) {
    let factor = 1
    let carry = 0
    for (const end = Math.min(at + 4, length); at < end; at++) {
      const value = VALUES[address.charCodeAt(at)] ?? NONE
      if (value === NONE) throw notAnAddress(address)
      factor *= 58
      carry = carry * 58 + value
    }
    for (let index = 0; index < used; index++) {
      const value = (limbs[index] as number) * factor + carry
      carry = Math.floor(value / LIMB)
      limbs[index] = value - carry * LIMB
    }
    if (carry > 0) limbs[used++] = carry
  }
  // The limbs hold 280 bits; an address may use 256 of them.
  if ((limbs[9] as number) >= 16) throw notAnAddress(address)
  let zeros = 0
  while (zeros < length && address.charCodeAt(zeros) === 49) zeros++
  for (let index = 0, at = offset + BYTES - 1; index < LIMBS; index += 2) {
    // Two limbs make seven bytes.
    const low = limbs[index] as number
    const high = limbs[index + 1] as number
    for (let byte = 0; byte < 7 && at >= offset; byte++, at--) {
      target[at] =
        byte < 3
          ? low >>> (8 * byte)
          : byte === 3
            ? (low >>> 24) | ((high & 15) << 4)
            : high >>> (8 * byte - 28)
    }
  }
  let empty = 0
  while (empty < BYTES && target[offset + empty] === 0) empty++
  // Each leading zero byte is one `1`; anything else would be a second spelling of the same address.
  if (empty !== zeros) throw notAnAddress(address)
}

/** Limbs of three bytes: a limb times 58 ** 4 still fits. */
const THREE_BYTES = 2 ** 24

/** Any number of bytes. Takes time quadratic in the length, so callers limit it. Throws if the text is not base58. */
export function decodeBase58(text: string): Uint8Array {
  const { length } = text
  let zeros = 0
  while (text.charCodeAt(zeros) === 49) zeros++
  const limbs = new Float64Array(Math.ceil(length / 4))
  let used = 0
  for (let at = zeros; at < length; ) {
    let factor = 1
    let carry = 0
    for (const end = Math.min(at + 4, length); at < end; at++) {
      const value = VALUES[text.charCodeAt(at)] ?? NONE
      if (value === NONE) throw new RangeError('not base58')
      factor *= 58
      carry = carry * 58 + value
    }
    for (let index = 0; index < used; index++) {
      const value = (limbs[index] as number) * factor + carry
      carry = Math.floor(value / THREE_BYTES)
      limbs[index] = value - carry * THREE_BYTES
    }
    if (carry > 0) limbs[used++] = carry
  }
  const reversed: number[] = []
  for (const limb of limbs.subarray(0, used)) reversed.push(limb & 255, (limb >> 8) & 255, limb >> 16)
  while (reversed.at(-1) === 0) reversed.pop()
  const bytes = new Uint8Array(zeros + reversed.length)
  bytes.set(reversed.reverse(), zeros)
  return bytes
}

/**
 * Decodes the first bytes of a text of any length, at most this many. Reads only the beginning of the text, so it costs
 * little. It returns fewer bytes if the others depend on the rest of the text, which is so for zeros.
 */
export function decodeBase58Start(text: string, bytesMax: number): Uint8Array {
  const lead = text.slice(0, 2 * bytesMax)
  if (lead.length === text.length) return decodeBase58(text).subarray(0, bytesMax)
  let zeros = 0
  while (zeros < lead.length && text.charCodeAt(zeros) === 49) zeros++
  const start = decodeBase58(lead).reduce((value, byte) => value * 256n + BigInt(byte), 0n)
  const [power, nextPower] = boundPower(text.length - lead.length)
  const [low, high] = [toBytes(start * power), toBytes((start + 1n) * nextPower)]
  let same = 0
  if (low.length === high.length) while (same < low.length && low[same] === high[same]) same++
  return new Uint8Array([...new Array<number>(zeros).fill(0), ...low.slice(0, same)].slice(0, bytesMax))
}

const POWER_BITS = 2_048n
/** Whenever a number gets too long, this many low bits are dropped: whole bytes. */
const DROPPED_BITS = 1_024n
/** An upper bound: the real error is far smaller. */
const ERROR_BITS = 1_000n

/** A lower and an upper bound of a power of 58, from which the same number of whole bytes was dropped. */
function boundPower(exponent: number): [low: bigint, high: bigint] {
  let power = 1n
  let isExact = true
  for (const bit of exponent.toString(2)) {
    power *= bit === '1' ? 58n * power : power
    while (power >> POWER_BITS > 0n) {
      power >>= DROPPED_BITS
      isExact = false
    }
  }
  return [power, isExact ? power : power + (power >> ERROR_BITS) + 1n]
}

function toBytes(value: bigint): number[] {
  const digits = value.toString(16)
  return (
    (digits.length % 2 === 0 ? digits : `0${digits}`).match(/../g)?.map(pair => Number.parseInt(pair, 16)) ??
    []
  )
}

const notAnAddress = (text: string): RangeError => new RangeError(`not an address: ${text.slice(0, 64)}`)
