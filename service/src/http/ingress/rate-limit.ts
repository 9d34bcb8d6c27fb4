import { ServiceError } from '@slipway/schema/errors'
import { networkMax, networkOf } from '../../lib/client-network.ts'
import type { SharedCounts } from '../../lib/shared-counts.ts'

/** Requests per minute per client; 0 disables the limit. */
export interface RateLimits {
  reads: number
  writes: number
  /** Reads that call the operator's RPC. */
  chainReads: number
  /** Health checks and metrics. */
  checks: number
}

export type Budget = keyof RateLimits | 'preflights'

export interface Allowance {
  allowed: boolean
  limit: number
  remaining: number
  resetSeconds: number
}

export interface RateLimiter {
  /** Undefined for a budget without a limit. The time is relative to any point, but must not go backwards. */
  take(budget: Budget, client: string, nowMs: number): Allowance | undefined
}

const WINDOW_MS = 60_000
/** Bounds the memory. A client that is evicted starts with a full budget. */
const CLIENTS_MAX = 200_000

/** Counts in fixed windows of a minute, each starting with a client's first request. */
export function createRateLimiter(
  { reads, writes, chainReads, checks }: RateLimits,
  /** Absent: all requests of a client come to this process. */
  shared?: SharedCounts,
): RateLimiter {
  // A browser sends at most one preflight for each read or write.
  const limits = { reads, writes, chainReads, checks, preflights: reads && writes && reads + writes }
  const windows = {
    reads: createWindows(),
    writes: createWindows(),
    chainReads: createWindows(),
    checks: createWindows(),
    preflights: createWindows(),
  }

  /** What a client, or a network of clients, has used of a budget. */
  function usageOf(budget: Budget, key: string, nowMs: number, limit: number) {
    const window = windows[budget].of(key, nowMs)
    const sharedKey = shared && `${budget} ${key}`
    const elsewhere = sharedKey && shared.others(sharedKey)
    return {
      left: limit - window.used - (elsewhere ? elsewhere.count : 0),
      endsMs: elsewhere ? Math.max(window.endsMs, elsewhere.endsMs) : window.endsMs,
      add() {
        window.used += 1
        if (sharedKey) shared.set(sharedKey, window.used, window.endsMs)
      },
    }
  }

  return {
    take(budget, client, nowMs) {
      const limit = limits[budget]
      if (limit === 0) return undefined
      const own = usageOf(budget, client, nowMs, limit)
      const network = networkOf(client)
      const ofNetwork = network && usageOf(budget, network, nowMs, networkMax(limit))
      const scarcest = ofNetwork && ofNetwork.left < own.left ? ofNetwork : own
      const allowed = scarcest.left > 0
      if (allowed) {
        own.add()
        if (ofNetwork) ofNetwork.add()
      }
      return {
        allowed,
        limit,
        remaining: Math.max(0, scarcest.left - Number(allowed)),
        // Floating-point sums can be rounded up: without the bound, a new window could end in 61 seconds.
        resetSeconds: Math.min(WINDOW_MS / 1_000, Math.ceil((scarcest.endsMs - nowMs) / 1_000)),
      }
    },
  }
}

/** For a read that turns out to need the chain only once it is under way. Throws if nothing is left of the client's limit. */
export function chargeChainRead(limiter: RateLimiter, client: string): void {
  const allowance = limiter.take('chainReads', client, performance.now())
  if (allowance && !allowance.allowed)
    throw new ServiceError('TOO_MANY_REQUESTS', { retryAfterSeconds: allowance.resetSeconds })
}

interface Window {
  used: number
  endsMs: number
}

function createWindows() {
  // All windows have the same length, so they are in the order in which they end, and expired ones come first.
  const byClient = new Map<string, Window>()

  function evict(nowMs: number) {
    for (const [client, { endsMs }] of byClient) {
      if (endsMs > nowMs && byClient.size < CLIENTS_MAX) return
      byClient.delete(client)
    }
  }

  return {
    of(client: string, nowMs: number): Window {
      const known = byClient.get(client)
      if (known && nowMs < known.endsMs) return known
      byClient.delete(client)
      evict(nowMs)
      const window = { used: 0, endsMs: nowMs + WINDOW_MS }
      byClient.set(client, window)
      return window
    },
  }
}
