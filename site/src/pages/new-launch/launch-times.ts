import type { Draft } from './draft.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** Of the official SDK. */
const OPEN_MS = 48 * HOUR_MS

/** No launch opens later, and dates that are much later can't be written. */
const END_MS = Date.UTC(2100, 0)

/**
 * Milliseconds of a local time from an `<input type="datetime-local">`. Undefined if it is empty or too far in the
 * future.
 */
export function parseLocalTime(text: string): number | undefined {
  const ms = text === '' ? Number.NaN : new Date(text).getTime()
  return ms < END_MS ? ms : undefined
}

/** Writes a time for such an input. */
export function toLocalTime(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * MINUTE_MS
  return new Date(ms - offsetMs).toISOString().slice(0, 16)
}

/** When a launch opens and closes. Without a start it opens now; without an end, a pool closes two days later. */
export function timesOf({ startsAt, endsAt }: Draft, nowMs: number): { startMs: number; endMs: number } {
  const startMs = parseLocalTime(startsAt) ?? Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  const endMs = parseLocalTime(endsAt) ?? Math.ceil((startMs + OPEN_MS) / HOUR_MS) * HOUR_MS
  return { startMs, endMs }
}
