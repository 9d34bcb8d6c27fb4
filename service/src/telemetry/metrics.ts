import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { createRequestHistogram } from './request-histogram.ts'

/** Everything that is measured, by name. Created once for a process's server, so that tests can have several. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    requests: createRequestHistogram(registry),
    storeSeconds: new Histogram({
      name: 'slipway_store_query_duration_seconds',
      help: 'Time of one named piece of work in the database.',
      labelNames: ['query', 'outcome'] as const,
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    listingUpdateSeconds: new Histogram({
      name: 'slipway_listing_update_duration_seconds',
      help: 'From taking up a change of launches to showing it in the listings.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    listingUpdateFailures: new Counter({
      name: 'slipway_listing_update_failures_total',
      help: 'Updates of the listings that failed and are tried again.',
      registers,
    }),
    launches: new Gauge({
      name: 'slipway_launches',
      help: 'Launches in the listings.',
      labelNames: ['network'] as const,
      registers,
    }),
    listening: new Gauge({
      name: 'slipway_store_listening',
      help: '1 while changes made by other nodes are heard.',
      registers,
    }),
    socialSeconds: new Histogram({
      name: 'slipway_social_request_duration_seconds',
      help: 'Time of one question to the social network, waiting for a connection included.',
      labelNames: ['outcome'] as const,
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    socialNotAsked: new Counter({
      name: 'slipway_social_not_asked_total',
      help: 'Verifications that failed without a question to the social network.',
      labelNames: ['reason'] as const,
      registers,
    }),
    rpcSeconds: new Histogram({
      name: 'slipway_rpc_request_duration_seconds',
      help: 'Time of one attempt at one endpoint of a network, by what came of it.',
      labelNames: ['network', 'endpoint', 'method', 'outcome'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    rpcRetries: new Counter({
      name: 'slipway_rpc_retries_total',
      help: 'Calls that were tried again, by what had gone wrong.',
      labelNames: ['network', 'method', 'reason'] as const,
      registers,
    }),
    rpcUp: new Gauge({
      name: 'slipway_rpc_endpoint_up',
      help: '0 while an endpoint rests after faults, until it answers again.',
      labelNames: ['network', 'endpoint'] as const,
      registers,
    }),
    rpcForeign: new Gauge({
      name: 'slipway_rpc_endpoint_foreign',
      help: 'Whether an RPC endpoint belongs to another cluster and is therefore not used.',
      labelNames: ['network', 'endpoint'],
      registers,
    }),
    rpcSlot: new Gauge({
      name: 'slipway_rpc_slot',
      help: 'The slot of the last answer of an endpoint.',
      labelNames: ['network', 'endpoint'] as const,
      registers,
    }),
    rpcCoalescedReads: new Counter({
      name: 'slipway_rpc_coalesced_reads_total',
      help: 'Reads of accounts that needed no call of their own.',
      labelNames: ['network'] as const,
      registers,
    }),
    bucketSearches: new Counter({
      name: 'slipway_bucket_searches_total',
      help: "Searches of the chain for a wallet's buckets, by what came of them.",
      labelNames: ['network', 'outcome'] as const,
      registers,
    }),
    documentSeconds: new Histogram({
      name: 'slipway_document_fetch_duration_seconds',
      help: 'Time of fetching one document that a stranger named, by what came of it.',
      labelNames: ['outcome'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    indexLeading: new Gauge({
      name: 'slipway_index_leading',
      help: '1 while this node is the one that keeps the store in step with the chain.',
      labelNames: ['network'] as const,
      registers,
    }),
    indexPolling: new Gauge({
      name: 'slipway_index_polling',
      help: '1 while subscriptions cannot be had and the chain is read again and again instead.',
      labelNames: ['network'] as const,
      registers,
    }),
    indexSlot: new Gauge({
      name: 'slipway_index_slot',
      help: 'Everything up to this slot is in the store.',
      labelNames: ['network'] as const,
      registers,
    }),
    indexLagSlots: new Gauge({
      name: 'slipway_index_lag_slots',
      help: 'How many slots the store is behind the chain.',
      labelNames: ['network'] as const,
      registers,
    }),
    indexLagSeconds: new Gauge({
      name: 'slipway_index_lag_seconds',
      help: 'How long ago the slot that the store has come to was the newest.',
      labelNames: ['network'] as const,
      registers,
    }),
    indexBacklog: new Gauge({
      name: 'slipway_index_backlog',
      help: 'Accounts that have changed and are not yet in the store.',
      labelNames: ['network'] as const,
      registers,
    }),
    indexChanges: new Counter({
      name: 'slipway_index_changes_total',
      help: 'Rows that were brought to what the chain says.',
      labelNames: ['network', 'kind'] as const,
      registers,
    }),
    indexRemovals: new Counter({
      name: 'slipway_index_removals_total',
      help: 'Accounts that were dropped from the index because the chain no longer has them.',
      labelNames: ['network', 'kind'],
      registers,
    }),
    indexHeld: new Gauge({
      name: 'slipway_index_removals_held',
      help: 'Accounts that are missing on the chain and kept, because too many are missing at once.',
      labelNames: ['network'],
      registers,
    }),
    indexGaps: new Counter({
      name: 'slipway_index_gaps_repaired_total',
      help: 'Times that the chain was read again because something may have been missed.',
      labelNames: ['network'] as const,
      registers,
    }),
  }
}

export type Metrics = ReturnType<typeof createMetrics>
