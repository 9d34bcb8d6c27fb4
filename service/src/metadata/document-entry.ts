import { type DocumentFailure, type DocumentResult, failure } from './document-result.ts'

/** What the cache holds for a URI. The document is kept as text: its size is known, and no caller can change it. */
export interface DocumentEntry {
  /** The last good copy, until it is too old to serve. */
  copy: { text: string; bytes: number; fetchedAtMs: number } | undefined
  /** Set if the last fetch failed, with the number of failures in a row. */
  failure: DocumentFailure | undefined
  failures: number
  /** When the next fetch is due. */
  dueAtMs: number
}

export interface EntryLimits {
  freshMs: number
  failureMs: number
  failureMsMax: number
  staleMsMax: number
}

/** The entry after a fetch. A failure keeps the previous copy until that is too old. */
export function entryAfter(
  previous: DocumentEntry | undefined,
  result: DocumentResult,
  { nowMs, limits }: { nowMs: number; limits: EntryLimits },
): DocumentEntry {
  if (result.ok) {
    const { text, bytes, fetchedAtMs = nowMs } = result
    return {
      copy: { text, bytes, fetchedAtMs },
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

/** Gives each caller its own value. The text was checked when it was fetched. */
export function resultOf({ copy, failure: last }: DocumentEntry): DocumentResult {
  if (!copy) return last ?? failure('unreachable')
  const { text, bytes, fetchedAtMs } = copy
  return { ok: true, value: JSON.parse(text), text, bytes, fetchedAtMs }
}

const BYTES_PER_CHARACTER = 2
const OVERHEAD_BYTES = 512

export function sizeOf({ copy }: DocumentEntry, uri: string): number {
  return BYTES_PER_CHARACTER * (uri.length + (copy?.text.length ?? 0)) + OVERHEAD_BYTES
}
