import type { Exchange } from './exchange.ts'

const EXPOSED = 'ETag, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Request-Id'

/** Header names and values in turn: what every response owes its caller, and then its own. */
export function withOwedHeaders({ id, allowance, isLast }: Exchange, own: string[]): string[] {
  // Written out whole, because this runs for every request and growing a list costs more than making one.
  const owed = allowance
    ? [
        'X-Request-Id',
        id,
        'Access-Control-Allow-Origin',
        '*',
        'Access-Control-Expose-Headers',
        EXPOSED,
        'RateLimit-Limit',
        `${allowance.limit}`,
        'RateLimit-Remaining',
        `${allowance.remaining}`,
        'RateLimit-Reset',
        `${allowance.resetSeconds}`,
      ]
    : ['X-Request-Id', id, 'Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED]
  return isLast ? owed.concat(own, 'Connection', 'close') : owed.concat(own)
}

/**
 * What a 304 owes to a caller that named no origin. It stands for a response that the caller holds together with its
 * headers (RFC 9110, 15.4.5): who may read that was said then, and repeating it would cost as much as the rest.
 */
export function withOwedToHolder({ id, allowance, isLast }: Exchange, own: string[]): string[] {
  own.push('X-Request-Id', id)
  if (allowance)
    own.push(
      'RateLimit-Limit',
      `${allowance.limit}`,
      'RateLimit-Remaining',
      `${allowance.remaining}`,
      'RateLimit-Reset',
      `${allowance.resetSeconds}`,
    )
  if (isLast) own.push('Connection', 'close')
  return own
}

/** Owed to every response that has a body. */
export const BODY_GUARDS = [
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
]
