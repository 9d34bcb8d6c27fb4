import type { ServerResponse } from 'node:http'
import type { RequestContext } from '../request-context.ts'
import { addCommonHeaders } from './common-headers.ts'

/** The same for every path, so that callers need no second preflight for another method. */
const CORS_HEADERS = [
  ...['Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
  ...['Access-Control-Allow-Headers', 'Content-Type, If-None-Match, X-Request-Id, *'],
  ...['Access-Control-Max-Age', '86400'],
]

/** Writes the response head of a preflight, which has no body. */
export function writePreflightHead(
  response: ServerResponse,
  context: RequestContext,
  methods: readonly string[],
): void {
  const headers = ['Allow', [...methods, 'OPTIONS'].join(', '), ...CORS_HEADERS]
  response.writeHead(204, addCommonHeaders(headers, context))
}
