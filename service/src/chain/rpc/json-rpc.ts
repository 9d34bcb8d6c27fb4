import { type Address, isAddress } from '@slipway/schema/address'
import { AttemptFailed, faultOfCode, faultOfStatus, malformed } from './fault.ts'
import type { HttpResponse } from './rpc-endpoint.ts'

/** A JSON-RPC request and how its result is decoded. */
export interface RpcRequest<T> {
  method: string
  /** Built for each attempt, because a newer slot may have been seen. 0 if none was. */
  params(minContextSlot: number): unknown[]
  /** Throws if this can't be the result. `isCut`: it ends with the last entry of its list that was read. */
  decode(result: unknown, isCut?: boolean): T
  /** The slot that the result is as of, if it says so. */
  slotOf?(answer: T): number
  /** How many slots the result may be behind the newest one seen, at this slot time. Default: 0. */
  slotsBehindMax?(slotMs: number): number
  limits?: Partial<CallLimits> | undefined
  /** What is sent to an endpoint that calls this request invalid, and what such an endpoint lacks. */
  older?: { request: RpcRequest<T>; lacks: string } | undefined
  /** If true, a late or too long response does not count against the endpoint's health. */
  isSizedByStrangers?: boolean
  /** If true, no more than `bytesMax` is read of a response that is a list with a context. */
  cuts?: boolean
}

export interface CallLimits {
  /** For one attempt. */
  attemptMs: number
  /** For all attempts, pauses included. */
  totalMs: number
  bytesMax: number
}

/** Longer messages of a node are cut. */
const MESSAGE_LENGTH_MAX = 200

/** The decoded result of the call with this id. Throws `AttemptFailed`. */
export function parseResponse<T>(
  { status, text: received, retryAfterMs, isCut = false }: HttpResponse,
  id: number,
  { minContextSlot, decode }: { minContextSlot: number; decode(result: unknown, isCut: boolean): T },
): T {
  const text = isCut ? closeList(received, id) : received
  if (status !== 200) {
    // Some nodes send the JSON-RPC error of an invalid request with a 4xx: it says more than the status.
    const answer = status >= 400 && status < 500 && status !== 429 ? tryRead(text, id) : undefined
    if (answer?.error !== undefined) throw errorIn(answer, minContextSlot)
    throw new AttemptFailed(faultOfStatus(status, retryAfterMs), `HTTP ${status}`)
  }
  const answer = tryRead(text, id)
  if (!answer) throw malformed('not a response to this call')
  if (answer.error !== undefined && answer.error !== null) throw errorIn(answer, minContextSlot)
  if (answer.result === undefined) throw malformed('neither a result nor an error')
  try {
    return decode(answer.result, isCut)
  } catch (error) {
    if (error instanceof InexactInteger) return decodeExactly(text, result => decode(result, isCut))
    throw asMalformed(error)
  }
}

/**
 * A response that was cut inside `result.value`, closed after the last whole entry. Entries are objects. The call's
 * id usually comes last, so it is among what was not read. What can't be closed this way doesn't parse.
 */
const closeList = (text: string, id: number) => `${text.slice(0, text.lastIndexOf('},{') + 1)}]},"id":${id}}`

function decodeExactly<T>(text: string, decode: (result: unknown) => T): T {
  try {
    return decode((parseExactJson(text) as JsonRecord).result)
  } catch (error) {
    throw asMalformed(error)
  }
}

/** Whatever a decoder throws, the response was unusable. */
const asMalformed = (error: unknown) =>
  error instanceof AttemptFailed ? error : malformed(`could not be decoded: ${(error as Error).name}`)

function tryRead(text: string, id: number): JsonRecord | undefined {
  try {
    const answer = toRecord(JSON.parse(text), 'the answer')
    return answer.id === id ? answer : undefined
  } catch {
    return undefined
  }
}

function errorIn({ error }: JsonRecord, minContextSlot: number): AttemptFailed {
  const { code, message, data } = toRecord(error, 'the error')
  if (!Number.isSafeInteger(code)) return malformed('an error without a code')
  const { contextSlot } = typeof data === 'object' && data !== null ? (data as JsonRecord) : {}
  const slots = typeof contextSlot === 'number' ? minContextSlot - contextSlot : 1
  const text = String(message).slice(0, MESSAGE_LENGTH_MAX)
  return new AttemptFailed(faultOfCode(code as number, slots), `${code} ${text}`, code as number)
}

/** Thrown if `JSON.parse` lost digits of a number: the response is then parsed again, exactly. */
class InexactInteger extends Error {}

/** The functions below check and convert parts of a response. They throw if a part is not valid. */
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

const KNOWN_ADDRESSES_MAX = 5_000
const knownAddresses = new Set<string>()

/** Decoding base58 costs more than the rest of an account, and owners are a handful of programs, so they are cached. */
export function toAddress(value: unknown, what: string): Address {
  if (typeof value !== 'string') throw malformed(`${what} is not an address`)
  if (knownAddresses.has(value)) return value as Address
  if (!isAddress(value)) throw malformed(`${what} is not an address`)
  if (knownAddresses.size >= KNOWN_ADDRESSES_MAX) knownAddresses.clear()
  knownAddresses.add(value)
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

/**
 * `JSON.parse`, but every integer of 16 or more digits becomes a string of its digits, because a number would lose
 * some. It scans the text twice, so it is used only for responses that contain such a number.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(quoteLargeIntegers(text))
}

function quoteLargeIntegers(text: string): string {
  let quoted = ''
  for (let at = 0; at < text.length; ) {
    const open = text.indexOf('"', at)
    if (open === -1) return quoted + quoteNumbers(text.slice(at))
    const end = endOfString(text, open)
    quoted += quoteNumbers(text.slice(at, open)) + text.slice(open, end)
    at = end
  }
  return quoted
}

/** Whether the digits are not part of a fraction or an exponent. */
const LARGE_INTEGER = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g

const quoteNumbers = (between: string) => between.replace(LARGE_INTEGER, '"$&"')

/** The position after the closing quote; a quote after an odd number of backslashes is part of the string. */
function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return at + 1
  }
  return text.length
}
