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
export interface Document {
  ok: true
  value: JsonObject
  text: string
  bytes: number
  /** Absent for a document that was not fetched: a `data:` URI or one of our own. */
  fetchedAtMs?: number
}

export type DocumentResult = Document | DocumentFailure

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
