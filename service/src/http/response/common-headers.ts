import type { Exchange } from '../request-context.ts'

const EXPOSED = 'ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id'

/** Header names and values in turn: adds what every response owes its caller. */
export function addOwedHeaders(headers: string[], exchange: Exchange): string[] {
  headers.push('Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED)
  return addOwedToHolder(headers, exchange)
}

/**
 * What a 304 owes to a caller that named no origin. It stands for a response that the caller holds together with its
 * headers (RFC 9110, 15.4.5): who may read that was said then, and repeating it would cost as much as the rest.
 */
export function addOwedToHolder(headers: string[], { id, allowance, isLast }: Exchange): string[] {
  if (allowance)
    headers.push(
      'X-Request-Id',
      id,
      'RateLimit-Limit',
      `${allowance.limit}`,
      'RateLimit-Remaining',
      `${allowance.remaining}`,
      'RateLimit-Reset',
      `${allowance.resetSeconds}`,
    )
  else headers.push('X-Request-Id', id)
  if (isLast) headers.push('Connection', 'close')
  return headers
}

/** Owed to every response that has a body. */
export const BODY_GUARDS = [
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
] as const
