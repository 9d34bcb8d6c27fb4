import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/**
 * The SHA-256 of the RFC 8785 form of parsed JSON, in hex. Undefined for JSON that has no such form: with half of a
 * surrogate pair, with a number that no double holds, or nested too deeply.
 */
export function digestJson(value: unknown): string | undefined {
  let text: string | undefined
  try {
    text = canonicalize(value)
  } catch {
    return undefined
  }
  return text === undefined ? undefined : createHash('sha256').update(text).digest('hex')
}
