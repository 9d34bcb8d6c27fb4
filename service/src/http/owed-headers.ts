import type { Allowance } from './rate-limit.ts'

/** What is known of a request before anybody looks at its path. */
export interface Exchange {
  readonly id: string
  readonly allowance: Allowance | undefined
  /** The server is stopping: nothing more is answered on this connection. */
  readonly isLast: boolean
  /** The pattern of the path, for metrics: never the path itself, which callers choose. */
  route: string
}

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

/** Owed to every response that has a body. */
export const BODY_GUARDS = [
  'X-Content-Type-Options',
  'nosniff',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
]
