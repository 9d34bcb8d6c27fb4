import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PreparedAnswer } from '../../endpoint/endpoint.ts'
import type { RequestContext } from '../request-context.ts'
import { chooseRepresentation } from './choose-representation.ts'
import {
  addCommonHeaders,
  addNotModifiedHeaders,
  addRateLimitHeaders,
  SANDBOX_HEADERS,
  SECURITY_HEADERS,
} from './common-headers.ts'

const NO_BODY: readonly Buffer[] = []

/** Writes the head of a prepared answer, 200 or 304, and returns the body for `sendBody`. */
export function writeSnapshotHead(
  request: IncomingMessage,
  response: ServerResponse,
  context: RequestContext,
  { snapshot, cacheControl, isUntrusted }: Omit<PreparedAnswer, 'kind'>,
): readonly Buffer[] {
  const { representation, notModified } = chooseRepresentation(
    snapshot,
    request.headers['accept-encoding'] as string | undefined,
    request.headers['if-none-match'],
  )
  const headers = ['ETag', representation.etag, 'Cache-Control', cacheControl]
  // With one encoding only, the answer is the same for every caller.
  if (snapshot.gzip) headers.push('Vary', 'Accept-Encoding')
  if (!isPublic(cacheControl)) addRateLimitHeaders(headers, context)
  if (notModified) {
    const add = request.headers.origin === undefined ? addNotModifiedHeaders : addCommonHeaders
    response.writeHead(304, add(headers, context))
    return NO_BODY
  }
  headers.push(
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    `${representation.length}`,
  )
  if (representation.encoding !== 'identity') headers.push('Content-Encoding', representation.encoding)
  headers.push(...(isUntrusted ? SANDBOX_HEADERS : SECURITY_HEADERS))
  response.writeHead(200, addCommonHeaders(headers, context))
  return request.method === 'HEAD' ? NO_BODY : representation.parts
}

/** Whether shared caches may store the response. */
const isPublic = (cacheControl: string) => !/\b(?:no-store|private)\b/.test(cacheControl)

/** Sends the rest of a response whose head is written. */
export function sendBody(response: ServerResponse, parts: readonly Buffer[]): void {
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
