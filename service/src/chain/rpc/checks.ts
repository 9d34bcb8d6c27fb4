import { type Address, isAddress } from '@slipway/schema/address'
import { malformed } from './fault.ts'

/** Thrown when a number has lost digits on the way through `JSON.parse`: the answer is parsed again, exactly. */
export class InexactInteger extends Error {}

/** What an answer is taken apart with. All of them throw when it cannot be an answer of a node. */
export type JsonRecord = Record<string, unknown>

export function toRecord(value: unknown, what: string): JsonRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed(`${what} is no object`)
  return value as JsonRecord
}

export function toList(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw malformed(`${what} is no list`)
  return value
}

export function toCount(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw malformed(`${what} is no count`)
  return value as number
}

export function toText(value: unknown, what: string): string {
  if (typeof value !== 'string') throw malformed(`${what} is no text`)
  return value
}

const U64_MAX = 2n ** 64n - 1n

/** Exact up to the last unit, however large. */
export function toU64(value: unknown, what: string): bigint {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && value >= 0) return BigInt(value)
    if (Number.isInteger(value) && value > 0) throw new InexactInteger()
  }
  // The second time, large ones arrive as their digits.
  if (typeof value === 'string' && /^\d{16,20}$/.test(value)) {
    const exact = BigInt(value)
    if (exact <= U64_MAX) return exact
  }
  throw malformed(`${what} is no u64`)
}

const KNOWN_MAX = 5_000
const known = new Set<string>()

/** Decoding base58 costs more than all the rest of an account; owners are a handful of programs. */
export function toAddress(value: unknown, what: string): Address {
  if (typeof value !== 'string') throw malformed(`${what} is no address`)
  if (known.has(value)) return value as Address
  if (!isAddress(value)) throw malformed(`${what} is no address`)
  if (known.size >= KNOWN_MAX) known.clear()
  known.add(value)
  return value
}

/** `Buffer` skips what is no base64; here the bytes must be as many as the text promises. */
export function toBytes(value: unknown, what: string): Uint8Array {
  const [text, encoding] = toList(value, what)
  if (typeof text !== 'string' || encoding !== 'base64') throw malformed(`${what} is not base64`)
  const bytes = Buffer.from(text, 'base64')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (text.length % 4 !== 0 || bytes.length !== (text.length / 4) * 3 - padding)
    throw malformed(`${what} is not base64`)
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}
