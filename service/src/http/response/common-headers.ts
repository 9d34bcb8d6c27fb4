import type { ServerResponse } from 'node:http'
import { ERROR_HEADER } from '@slipway/schema/errors'
import type { RequestContext } from '../request-context.ts'

/** The headers that scripts from other origins may read. */
export const EXPOSED = `ETag, Link, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id, ${ERROR_HEADER}`

/** Adds the headers that every response carries to a list of names and values. */
export function addCommonHeaders(headers: string[], context: RequestContext): string[] {
  headers.push('Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED)
  return addNotModifiedHeaders(headers, context)
}

/**
 * The common headers of a 304 to a request without an `Origin`. The client still has the headers of the response it
 * holds (RFC 9110, 15.4.5), which already say who may read it. Repeating them would cost as much as the rest.
 */
export function addNotModifiedHeaders(headers: string[], { id, isLast }: RequestContext): string[] {
  headers.push('X-Request-Id', id)
  if (isLast) headers.push('Connection', 'close')
  return headers
}

/** Not for responses that shared caches may store: the headers describe one client. */
export function addRateLimitHeaders(headers: string[], { allowance }: RequestContext): string[] {
  if (allowance)
    headers.push(
      'RateLimit-Limit',
      `${allowance.limit}`,
      'RateLimit-Remaining',
      `${allowance.remaining}`,
      'RateLimit-Reset',
      `${allowance.resetSeconds}`,
    )
  return headers
}

/** For every response that has a body. */
export const SECURITY_HEADERS = [
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
] as const

/** Used instead for content that strangers wrote. */
export const SANDBOX_HEADERS = [
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'; sandbox",
] as const

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
