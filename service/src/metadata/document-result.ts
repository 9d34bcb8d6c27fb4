export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject
export interface JsonObject {
  [key: string]: JsonValue
}

/** Why a document could not be had. Short and ours: nothing that a stranger wrote gets in here. */
export const FAILURE_REASONS = [
  'bad-uri',
  'private-address',
  'unreachable',
  'timeout',
  'http-status',
  'bad-redirect',
  'too-many-redirects',
  'too-large',
  'bad-encoding',
  'too-complex',
  'not-json',
  'not-an-object',
  /** No place was free, or the service stops: says nothing about the document and is not remembered. */
  'busy',
  'stopped',
] as const

export type FailureReason = (typeof FAILURE_REASONS)[number]

export interface DocumentFailure {
  ok: false
  reason: FailureReason
  /** A status, an error code or a fixed word. */
  detail?: string
}

/** `text` is what was parsed into `value`; `bytes` is its size as it came, decompressed. */
export interface Document {
  ok: true
  value: JsonObject
  text: string
  bytes: number
  /** Absent for what was not fetched: it is as the URI or the store has it now. */
  fetchedAtMs?: number
}

export type DocumentResult = Document | DocumentFailure

export function failure(reason: FailureReason, detail?: string): DocumentFailure {
  return detail === undefined ? { ok: false, reason } : { ok: false, reason, detail }
}

/** Carries a failure out of nested work; caught where a result is made of it. */
export class DocumentRefused extends Error {
  readonly failure: DocumentFailure

  constructor(reason: FailureReason, detail?: string) {
    super(reason)
    this.failure = failure(reason, detail)
  }
}
