import { LRUCache } from 'lru-cache'

export type Budget = 'reads' | 'writes'

export interface Allowance {
  allowed: boolean
  limit: number
  remaining: number
  resetSeconds: number
}

export interface RateLimiter {
  /** Undefined where this budget has no limit. */
  take(budget: Budget, client: string): Allowance | undefined
}

const WINDOW_MS = 60_000
/** The clients that are remembered at a time; whoever falls out starts with a full budget. */
const CLIENTS_MAX = 200_000

/** Fixed windows of a minute, each beginning with a client's first request. */
export function createRateLimiter(
  limits: Record<Budget, number>,
  clock: () => number = Date.now,
): RateLimiter {
  const windows = {
    reads: new LRUCache<string, { used: number; endsMs: number }>({ max: CLIENTS_MAX }),
    writes: new LRUCache<string, { used: number; endsMs: number }>({ max: CLIENTS_MAX }),
  }
  return {
    take(budget, client) {
      const limit = limits[budget]
      if (limit === 0) return undefined
      const nowMs = clock()
      let window = windows[budget].get(client)
      if (!window || nowMs >= window.endsMs) {
        window = { used: 0, endsMs: nowMs + WINDOW_MS }
        windows[budget].set(client, window)
      }
      const allowed = window.used < limit
      if (allowed) window.used += 1
      return {
        allowed,
        limit,
        remaining: limit - window.used,
        resetSeconds: Math.ceil((window.endsMs - nowMs) / 1_000),
      }
    },
  }
}
