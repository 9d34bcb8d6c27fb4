export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject
export interface JsonObject {
  [key: string]: JsonValue
}

/** Why a document is unavailable. These words are ours: nothing from the document or its host appears in them. */
export type FailureReason =
  | 'bad-uri'
  | 'private-address'
  | 'unreachable'
  | 'timeout'
  | 'http-status'
  | 'bad-redirect'
  | 'too-many-redirects'
  | 'too-large'
  | 'bad-encoding'
  | 'too-complex'
  | 'not-json'
  | 'not-an-object'
  /** No free slot, or the service is stopping. Says nothing about the document, so it is never cached. */
  | 'busy'
  | 'stopped'

export interface DocumentFailure {
  ok: false
  reason: FailureReason
  /** A status, an error code or a fixed word. */
  detail?: string
}

/** `value` is parsed from `text`; `bytes` is the decompressed size as received. */
export interface FetchedDocument {
  ok: true
  value: JsonObject
  text: string
  bytes: number
  /** Absent for a document that was not fetched: a `data:` URI or one of our own. */
  fetchedAtMs?: number
}

export type DocumentResult = FetchedDocument | DocumentFailure

export function failure(reason: FailureReason, detail?: string): DocumentFailure {
  return detail === undefined ? { ok: false, reason } : { ok: false, reason, detail }
}

/** Carries a failure out of nested calls to where it becomes a result. */
export class DocumentRefused extends Error {
  readonly failure: DocumentFailure

  constructor(reason: FailureReason, detail?: string) {
    super(reason)
    this.failure = failure(reason, detail)
  }
}

/** Deeper than any real document, and shallow enough for recursive code. */
const LEVELS_MAX = 64
/** A mebibyte of empty objects would take a tenth of a second to parse and twenty times its size in memory. */
const VALUES_MAX = 20_000

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Accepts UTF-8, with or without a byte order mark, whatever the content type says. */
export function parseJsonObject(bytes: Uint8Array): DocumentResult {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    return failure('not-json', 'utf-8')
  }
  return parseJsonText(text, bytes.length)
}

export function parseJsonText(text: string, bytes = Buffer.byteLength(text)): DocumentResult {
  if (isTooComplex(text)) return failure('too-complex')
  let value: JsonValue
  try {
    value = JSON.parse(text)
  } catch {
    return failure('not-json')
  }
  if (!isObject(value)) return failure('not-an-object')
  return { ok: true, value, text, bytes }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Checks depth and number of values before anything is parsed. */
function isTooComplex(text: string): boolean {
  let level = 0
  // Each value follows a comma or is the first of its array or object.
  let values = 1
  let quoted = false
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (quoted) {
      if (code === BACKSLASH) index += 1
      else if (code === QUOTE) quoted = false
    } else if (code === QUOTE) quoted = true
    else if (code === COMMA) values += 1
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      level += 1
      values += 1
      if (level > LEVELS_MAX) return true
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) level -= 1
  }
  return values > VALUES_MAX
}
