import { type DocumentFailure, type DocumentResult, failure } from './document-result.ts'

/** What is remembered of a URI. Documents are kept as text: its size is known, and nobody can change it for others. */
export interface DocumentEntry {
  /** The last copy that was had, while it may still be answered. */
  copy: { text: string; bytes: number; fetchedAtMs: number } | undefined
  /** The last outcome when it was a failure, and how many there were in a row. */
  failure: DocumentFailure | undefined
  failures: number
  /** When it is to be looked at again. */
  dueAtMs: number
}

export interface EntryLimits {
  freshMs: number
  failureMs: number
  failureMsMax: number
  staleMsMax: number
}

/** What is remembered after a fetch. A failure does not wipe out a copy until that is too old. */
export function entryAfter(
  previous: DocumentEntry | undefined,
  result: DocumentResult,
  { nowMs, limits }: { nowMs: number; limits: EntryLimits },
): DocumentEntry {
  if (result.ok) {
    const { text, bytes } = result
    return {
      copy: { text, bytes, fetchedAtMs: nowMs },
      failure: undefined,
      failures: 0,
      dueAtMs: nowMs + limits.freshMs,
    }
  }
  const failures = (previous?.failures ?? 0) + 1
  const copy = previous?.copy
  return {
    copy: copy && nowMs - copy.fetchedAtMs <= limits.staleMsMax ? copy : undefined,
    failure: result,
    failures,
    dueAtMs: nowMs + Math.min(limits.failureMs * 2 ** (failures - 1), limits.failureMsMax),
  }
}

/** A value of the caller's own; that the text is a fit object was seen when it came. */
export function answerOf({ copy, failure: last }: DocumentEntry): DocumentResult {
  if (!copy) return last ?? failure('unreachable')
  const { text, bytes } = copy
  return { ok: true, value: JSON.parse(text), text, bytes }
}

const BYTES_A_CHARACTER = 2
const BYTES_BESIDE = 512

export function sizeOf({ copy }: DocumentEntry, uri: string): number {
  return BYTES_A_CHARACTER * (uri.length + (copy?.text.length ?? 0)) + BYTES_BESIDE
}
