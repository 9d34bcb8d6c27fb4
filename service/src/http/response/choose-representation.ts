import type { Encoding, Representation, Snapshot } from '../../endpoint/representation.ts'
import { matchesIfNoneMatch } from './if-none-match.ts'

/** In the order in which they are preferred, other things being equal. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const
const REMEMBERED_MAX = 500

const remembered = new Map<string, readonly Encoding[]>()

/**
 * Which representation to send, and whether the caller has it already. A caller that holds any acceptable
 * one is answered from that, so that an encoding which has become ready since does not cost it a download.
 */
export function chooseRepresentation(
  snapshot: Snapshot,
  acceptEncoding: string | undefined,
  ifNoneMatch: string | undefined,
): { representation: Representation; notModified: boolean } {
  const acceptable = acceptableEncodings(acceptEncoding)
  let best: Representation | undefined
  for (const encoding of acceptable) {
    const representation = snapshot[encoding]
    if (!representation) continue
    if (ifNoneMatch === undefined) return { representation, notModified: false }
    if (matchesIfNoneMatch(ifNoneMatch, representation.etag)) return { representation, notModified: true }
    best ??= representation
  }
  return { representation: best ?? snapshot.identity, notModified: false }
}

/** RFC 9110, 12.5.3, best first. Identity is always possible at the end: an answer in it beats none. */
export function acceptableEncodings(header: string | undefined): readonly Encoding[] {
  if (header === undefined) return ONLY_IDENTITY
  // One request is often like the one before: comparing is cheaper than looking up.
  if (header === lastHeader) return lastEncodings
  lastEncodings = remembered.get(header) ?? readAcceptEncoding(header)
  lastHeader = header
  return lastEncodings
}

const ONLY_IDENTITY: readonly Encoding[] = ['identity']
let lastHeader: string | undefined
let lastEncodings = ONLY_IDENTITY

function readAcceptEncoding(header: string): readonly Encoding[] {
  const parsed = parseAcceptEncoding(header)
  if (remembered.size >= REMEMBERED_MAX) remembered.clear()
  // Callers choose the header: only what browsers and libraries send is short.
  if (header.length <= 200) remembered.set(header, parsed)
  return parsed
}

function parseAcceptEncoding(header: string): readonly Encoding[] {
  const weights = new Map<string, number>()
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map(part => part.trim())
    const quality = parameters.find(parameter => parameter.startsWith('q='))
    const weight = quality ? Number(quality.slice(2)) : 1
    weights.set(name === 'x-gzip' ? 'gzip' : name, weight >= 0 && weight <= 1 ? weight : 0)
  }
  const others = weights.get('*') ?? 0
  const weightOf = (encoding: Encoding) =>
    // What is not refused is acceptable as it is, but comes after all that was asked for.
    weights.get(encoding) ?? (encoding === 'identity' ? others || Number.MIN_VALUE : others)
  const acceptable = ENCODINGS.filter(encoding => weightOf(encoding) > 0)
  return acceptable.toSorted((a, b) => weightOf(b) - weightOf(a))
}
