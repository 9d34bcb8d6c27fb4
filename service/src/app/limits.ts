import { NETWORKS } from '@slipway/schema/network'
import { heavyReadsOfWorker } from '../chain/heavy-reads.ts'
import type { RpcLimits } from '../chain/rpc/limits.ts'
import { SEARCH_LIMITS, type SearchLimits } from '../creator-rewards/search-buckets.ts'
import type { EventLimits } from '../events/event-feed.ts'
import { IN_FLIGHT_MAX } from '../http/ingress/load-shedder.ts'
import type { IndexerLimits } from '../indexer/limits.ts'
import { REQUEST_MS_MAX } from '../lib/deadline.ts'
import { FETCH_SLOTS } from '../metadata/fetch/safe-fetch.ts'
import { CONNECTIONS } from '../store/database.ts'
import type { LeaseLimits } from '../store/index-lease.ts'

/** How long things may take. Tests that wait for such a limit replace it. */
export interface ServiceLimits {
  /** For a request, whatever it waits for. An endpoint can have a limit of its own. */
  requestMs: number
  /** For a search on the chain, including the wait for other searches. */
  searchMs: number
  /** Replaces parts of this worker's share. */
  search: Partial<SearchLimits>
  /** For a new connection to the database. */
  connectMs: number
  statementMs: number
  /** Pause between two probes of the store. */
  storeProbeMs: number
  rpc: Partial<RpcLimits>
  indexer: Partial<IndexerLimits>
  lease: Partial<LeaseLimits>
  events: EventLimits
}

export const SERVICE_LIMITS: ServiceLimits = {
  requestMs: REQUEST_MS_MAX,
  // What is left of the request's time is for reading the buckets.
  searchMs: 2_000,
  search: {},
  connectMs: 2_000,
  // Every statement here is small, so a short timeout lets callers know soon that the store does not answer.
  statementMs: 3_000,
  storeProbeMs: 10_000,
  rpc: {},
  indexer: {},
  lease: {},
  events: {},
}

/**
 * A worker's share of the limits that hold for the whole node. Some don't fall below what one client needs, because all of a
 * client's connections go to one worker.
 */
export const limitsOfWorker = (workers: number) => ({
  // With fewer connections, a slow query would hold up all others.
  ...divideLimits({ connections: CONNECTIONS, inFlightMax: IN_FLIGHT_MAX }, workers, {
    connections: 3,
    inFlightMax: 32,
  }),
  // With fewer slots, one slow site would keep the others from being fetched.
  fetch: divideLimits(FETCH_SLOTS, workers, {
    slots: 8,
    slotsBackground: 6,
    slotsPerSite: 2,
    slotsPerGateway: 4,
  }),
  heavyReads: heavyReadsOfWorker(workers),
  search: { ...divideLimits(SEARCH_LIMITS, workers), perSecond: SEARCH_LIMITS.perSecond / workers },
})

/**
 * How many database connections a node may have: those of its pools, and in each process one that listens and one for each
 * network's index. While a worker is being replaced, there is one more.
 */
export function connectionsOfNode(workers: number): number {
  const processes = workers === 1 ? 1 : workers + 1
  return processes * (limitsOfWorker(workers).connections + 1 + NETWORKS.length)
}

/** Divides each limit by the number of workers. A share is at least 1, or what `least` says. */
const divideLimits = <Limits extends object>(
  limits: Limits,
  workers: number,
  least: Partial<Record<keyof Limits, number>> = {},
): Limits =>
  Object.fromEntries(
    Object.entries(limits).map(([name, limit]) => [
      name,
      Math.max(least[name as keyof Limits] ?? 1, Math.ceil(limit / workers)),
    ]),
  ) as Limits
