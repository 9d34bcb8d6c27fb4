import { type Address, isAddress } from '@slipway/schema/address'
import { malformed } from './fault.ts'

/** Thrown if `JSON.parse` lost digits of a number: the response is then parsed again, exactly. */
export class InexactInteger extends Error {}

/** The functions below check and convert parts of a response. They throw if a node can't have sent it. */
export type JsonRecord = Record<string, unknown>

export function toRecord(value: unknown, what: string): JsonRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformed(`${what} is not an object`)
  return value as JsonRecord
}

export function toList(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw malformed(`${what} is not an array`)
  return value
}

export function toCount(value: unknown, what: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw malformed(`${what} is not a non-negative integer`)
  return value as number
}

export function toText(value: unknown, what: string): string {
  if (typeof value !== 'string') throw malformed(`${what} is not a string`)
  return value
}

const U64_MAX = 2n ** 64n - 1n

/** Exact, however large. */
export function toU64(value: unknown, what: string): bigint {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value) && value >= 0) return BigInt(value)
    if (Number.isInteger(value) && value > 0) throw new InexactInteger()
  }
  // When parsed again, large numbers arrive as strings of digits.
  if (typeof value === 'string' && /^\d{16,20}$/.test(value)) {
    const exact = BigInt(value)
    if (exact <= U64_MAX) return exact
  }
  throw malformed(`${what} is not a u64`)
}

const KNOWN_MAX = 5_000
const known = new Set<string>()

/** Decoding base58 costs more than the rest of an account, and owners are a handful of programs: they are cached. */
export function toAddress(value: unknown, what: string): Address {
  if (typeof value !== 'string') throw malformed(`${what} is not an address`)
  if (known.has(value)) return value as Address
  if (!isAddress(value)) throw malformed(`${what} is not an address`)
  if (known.size >= KNOWN_MAX) known.clear()
  known.add(value)
  return value
}

/** `Buffer` skips invalid base64; here the number of bytes must match the text. */
export function toBytes(value: unknown, what: string): Uint8Array {
  const [text, encoding] = toList(value, what)
  if (typeof text !== 'string' || encoding !== 'base64') throw malformed(`${what} is not base64`)
  const bytes = Buffer.from(text, 'base64')
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (text.length % 4 !== 0 || bytes.length !== (text.length / 4) * 3 - padding)
    throw malformed(`${what} is not base64`)
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length)
}
