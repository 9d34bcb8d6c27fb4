import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Snapshot } from '../../endpoint/representation.ts'
import { chooseRepresentation } from './choose-representation.ts'
import type { Exchange } from '../request-context.ts'
import { addOwedHeaders, addOwedToHolder, BODY_GUARDS } from './common-headers.ts'

const NOTHING: readonly Buffer[] = []

/** Writes the head of an answer with prepared bytes: 200, or 304 where the caller has them. What it returns is to be sent. */
export function beginSnapshot(
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
  snapshot: Snapshot,
  cacheControl: string,
): readonly Buffer[] {
  const { representation, notModified } = chooseRepresentation(
    snapshot,
    request.headers['accept-encoding'] as string | undefined,
    request.headers['if-none-match'],
  )
  const headers = ['ETag', representation.etag, 'Cache-Control', cacheControl]
  // What exists in one encoding only is the same for every caller.
  if (snapshot.gzip) headers.push('Vary', 'Accept-Encoding')
  if (notModified) {
    const add = request.headers.origin === undefined ? addOwedToHolder : addOwedHeaders
    response.writeHead(304, add(headers, exchange))
    return NOTHING
  }
  headers.push(
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    `${representation.length}`,
  )
  if (representation.encoding !== 'identity') headers.push('Content-Encoding', representation.encoding)
  headers.push(...BODY_GUARDS)
  response.writeHead(200, addOwedHeaders(headers, exchange))
  return request.method === 'HEAD' ? NOTHING : representation.parts
}

/** The rest of an answer whose head was written. */
export function sendBody(response: ServerResponse, parts: readonly Buffer[]): void {
  if (parts.length < 2) {
    response.end(parts[0])
    return
  }
  // One gathered write for all parts: they are shared with every other response and never copied.
  response.cork()
  for (const part of parts) response.write(part)
  response.end()
  response.uncork()
}
