import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Body, Encoding, PreparedAnswer, Representation, Snapshot } from '../../endpoint/endpoint.ts'
import type { RequestContext } from '../request-context.ts'
import {
  addCommonHeaders,
  addNotModifiedHeaders,
  addRateLimitHeaders,
  SANDBOX_HEADERS,
  SECURITY_HEADERS,
} from './common-headers.ts'

export const NO_BODY: Body = { parts: [] }

interface SnapshotAnswer extends Omit<PreparedAnswer, 'kind'> {
  /** Names and values, instead of the usual security headers. */
  headers?: readonly string[]
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** Writes the head of a prepared answer, 200 or 304, and returns the body for `sendBody`. */
export function writeSnapshotHead(
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
  {
    snapshot,
    cacheControl,
    isUntrusted,
    contentType = JSON_TYPE,
    variesByAccept,
    nextPage,
    headers: own,
  }: SnapshotAnswer,
): Body {
  const { representation, notModified } = chooseRepresentation(
    snapshot,
    request.headers['accept-encoding'] as string | undefined,
    request.headers['if-none-match'],
  )
  const headers = ['ETag', representation.etag, 'Cache-Control', cacheControl]
  // With one encoding only, the answer is the same for every caller.
  const varies = [...(variesByAccept ? ['Accept'] : []), ...(snapshot.gzip ? ['Accept-Encoding'] : [])]
  if (varies.length > 0) headers.push('Vary', varies.join(', '))
  if (!isPublic(cacheControl)) addRateLimitHeaders(headers, context)
  if (notModified) {
    const add = request.headers.origin === undefined ? addNotModifiedHeaders : addCommonHeaders
    response.writeHead(304, add(headers, context))
    return NO_BODY
  }
  if (nextPage) headers.push('Link', `<${nextPage}>; rel="next"`)
  headers.push('Content-Type', contentType, 'Content-Length', `${representation.length}`)
  if (representation.encoding !== 'identity') headers.push('Content-Encoding', representation.encoding)
  headers.push(...(own ?? (isUntrusted ? SANDBOX_HEADERS : SECURITY_HEADERS)))
  response.writeHead(200, addCommonHeaders(headers, context))
  return request.method === 'HEAD' ? NO_BODY : representation
}

/** Whether shared caches may store the response. */
const isPublic = (cacheControl: string) => !/\b(?:no-store|private)\b/.test(cacheControl)

/** Sends the rest of a response whose head is written. */
export function sendBody(response: ServerResponse, { parts }: Body): void {
  if (parts.length < 2) {
    response.end(parts[0])
    return
  }
  // One gathered write for all parts: every other response shares them, so they are never copied.
  response.cork()
  for (const part of parts) response.write(part)
  response.end()
  response.uncork()
}

/** The order of preference if the client has none. */
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

const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/y
const SEPARATOR = /[ \t]*(?:,[ \t]*)*/y

/** RFC 9110, 13.1.2: a list of entity tags or `*`, compared weakly. A malformed list matches up to the first error. */
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header === etag || header.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  for (let at = 0; at < header.length; ) {
    SEPARATOR.lastIndex = at
    SEPARATOR.test(header)
    ENTITY_TAG.lastIndex = SEPARATOR.lastIndex
    const tag = ENTITY_TAG.exec(header)
    if (!tag) return false
    if (tag[1] === opaque) return true
    at = ENTITY_TAG.lastIndex
  }
  return false
}

interface ResponseBatch<Response> {
  add(response: Response): void
  /** Sends the waiting responses now, before anything else happens to the connections. */
  flush(): void
}

/** Bounds the wait of the first response in a batch. */
const BATCH_MAX = 64

/**
 * Sends the responses of one turn of the event loop together at its end. Sending is a system call that copies up to
 * megabytes and fills the processor's caches; code that runs between two sends would start cold each time.
 */
export function createResponseBatch<Response>(
  send: (response: Response) => void,
  onSent: () => void,
): ResponseBatch<Response> {
  let waiting: Response[] = []

  function flush() {
    const ready = waiting
    waiting = []
    for (const response of ready) send(response)
    onSent()
  }

  return {
    add(response) {
      const count = waiting.push(response)
      if (count === 1) setImmediate(flush)
      else if (count === BATCH_MAX) flush()
    },
    flush,
  }
}
