import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Snapshot } from '../endpoint/representation.ts'
import { chooseRepresentation } from './choose-representation.ts'

/** Answers with prepared bytes: 200, or 304 where the caller has them. `owed` are the headers of every response. */
export function sendSnapshot(
  request: IncomingMessage,
  response: ServerResponse,
  owed: readonly string[],
  { snapshot, cacheControl }: { snapshot: Snapshot; cacheControl: string },
): void {
  const { representation, notModified } = chooseRepresentation(
    snapshot,
    request.headers['accept-encoding'] as string | undefined,
    request.headers['if-none-match'],
  )
  const headers = [
    ...owed,
    'ETag',
    representation.etag,
    'Cache-Control',
    cacheControl,
    'Vary',
    'Accept-Encoding',
  ]
  if (notModified) {
    response.writeHead(304, headers)
    response.end()
    return
  }
  headers.push(
    'Content-Type',
    'application/json; charset=utf-8',
    'Content-Length',
    `${representation.length}`,
  )
  if (representation.encoding !== 'identity') headers.push('Content-Encoding', representation.encoding)
  response.writeHead(200, headers)
  if (request.method === 'HEAD') {
    response.end()
    return
  }
  const { parts } = representation
  // One gathered write for all parts: they are shared with every other response and never copied.
  response.cork()
  for (let at = 0; at < parts.length - 1; at += 1) response.write(parts[at])
  response.end(parts.at(-1))
  response.uncork()
}
