import type { Encoding, Representation, Snapshot } from '../../endpoint/representation.ts'
import { matchesIfNoneMatch } from './if-none-match.ts'

/** In order of preference, if the client has none. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const
const ONLY_IDENTITY: readonly Encoding[] = ['identity']
/** Callers choose the header, so the number and the length of those that are kept are bounded. */
const HEADERS_MAX = 500
const HEADER_LENGTH_MAX = 200
const parsedHeaders = new Map<string, readonly Encoding[]>()

/**
 * Chooses the representation to send, and decides whether the client already has it. If it has any acceptable one, it
 * gets a 304 for that: an encoding that has become ready in the meantime costs it no download.
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

/** RFC 9110, 12.5.3, best first. Identity always comes last: an encoding that the client refused beats an error. */
export function acceptableEncodings(header: string | undefined): readonly Encoding[] {
  if (header === undefined) return ONLY_IDENTITY
  const known = parsedHeaders.get(header)
  if (known) return known
  const parsed = parseAcceptEncoding(header)
  if (parsedHeaders.size >= HEADERS_MAX) parsedHeaders.clear()
  if (header.length <= HEADER_LENGTH_MAX) parsedHeaders.set(header, parsed)
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
    // Unless it is refused, identity is acceptable, but comes after everything the client asked for.
    weights.get(encoding) ?? (encoding === 'identity' ? others || Number.MIN_VALUE : others)
  const acceptable = ENCODINGS.filter(encoding => weightOf(encoding) > 0)
  return acceptable.toSorted((a, b) => weightOf(b) - weightOf(a))
}
