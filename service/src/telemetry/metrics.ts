import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Measuring at this interval costs 0.2 % of a core. */
const LAG_SAMPLE_MS = 20

/** The process that starts the workers knows these, not the workers. */
export const WORKERS_PREFIX = 'slipway_workers_'

/** These counters start at 0: a counter that starts with its first event hides that event from rates and alerts. */
const REASONS = {
  connectionsClosed: ['connections', 'pipelining', 'refusals'],
  requestsShed: ['in_flight', 'gone'],
  pagesRefused: ['client', 'total', 'broken', 'late'],
  pageThreadsEnded: ['hung', 'died'],
  eventStreamsRefused: ['client', 'total'],
  eventStreamsCut: ['slow', 'stalled'],
} as const

/**
 * All metrics, by name. Each server has its own, so that a test can start several. Those of several workers are added
 * up, except where a metric names another aggregator.
 */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLE_MS })
  const registers = [registry]
  const metrics = {
    registry,
    workerInfo: new Gauge({
      name: 'slipway_worker_info',
      help: '1 for each process that answers requests, if there are several.',
      labelNames: ['worker', 'pid'] as const,
      registers,
    }),
    workersExpected: new Gauge({
      name: `${WORKERS_PREFIX}expected`,
      help: 'The configured number of workers. 0 if the node is a single process.',
      registers,
    }),
    workersHung: new Gauge({
      name: `${WORKERS_PREFIX}hung`,
      help: 'Workers that have not answered for two seconds, or can not read what they missed. They get no new connections.',
      registers,
    }),
    workerHangs: new Counter({
      name: 'slipway_worker_hangs_total',
      help: 'How often a worker did not answer for two seconds.',
      registers,
    }),
    connectionsClosed: new Counter({
      name: 'slipway_http_connections_closed_total',
      help: 'Connections that were closed because a client exceeded a limit.',
      labelNames: ['reason'] as const,
      registers,
    }),
    requestsShed: new Counter({
      name: 'slipway_http_requests_shed_total',
      help: 'Requests that were not handled, because the node was overloaded or the client had gone.',
      labelNames: ['reason'] as const,
      registers,
    }),
    requests: new Histogram({
      name: 'slipway_http_request_duration_seconds',
      help: 'From the first byte of a request to the last byte of its response.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    pageSeconds: new Histogram({
      name: 'slipway_page_render_duration_seconds',
      help: 'From the start of rendering a page to its end, by outcome. Pages from the cache are not counted.',
      labelNames: ['outcome'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
      registers,
    }),
    pagesWaiting: new Gauge({
      name: 'slipway_pages_waiting',
      help: 'Pages that wait for the page thread.',
      registers,
    }),
    pagesRefused: new Counter({
      name: 'slipway_pages_refused_total',
      help: 'Pages that were not rendered, by reason.',
      labelNames: ['reason'] as const,
      registers,
    }),
    pageThreadsEnded: new Counter({
      name: 'slipway_page_thread_restarts_total',
      help: 'Restarts of the page thread, by what ended it.',
      labelNames: ['reason'] as const,
      registers,
    }),
    storeSeconds: new Histogram({
      name: 'slipway_store_query_duration_seconds',
      help: 'Duration of one named database operation.',
      labelNames: ['query', 'outcome'] as const,
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers,
    }),
    storeWritable: new Gauge({
      name: 'slipway_store_writable',
      help: '0 if the database answered the last probe but could not write.',
      aggregator: 'min',
      registers,
    }),
    clockAhead: new Gauge({
      name: 'slipway_clock_ahead_seconds',
      help: "How far this node's clock is ahead of the database's; negative if it is behind.",
      aggregator: 'max',
      registers,
    }),
    listingUpdateSeconds: new Histogram({
      name: 'slipway_listing_update_duration_seconds',
      help: 'From the start of an update of the listings to the moment it is visible.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    listingUpdateFailures: new Counter({
      name: 'slipway_listing_update_failures_total',
      help: 'Failed updates of the listings. Each is retried.',
      registers,
    }),
    launches: new Gauge({
      name: 'slipway_launches',
      help: 'Launches in the listings.',
      labelNames: ['network'] as const,
      aggregator: 'max',
      registers,
    }),
    listening: new Gauge({
      name: 'slipway_store_listening',
      help: '1 while this node receives change notifications from the database.',
      aggregator: 'min',
      registers,
    }),
    eventStreams: new Gauge({
      name: 'slipway_event_streams',
      help: 'Open event streams.',
      registers,
    }),
    namedDocumentBytes: new Gauge({
      name: 'slipway_documents_named_bytes',
      help: 'Bytes of hosted documents that the chain names, or named until a week ago.',
      labelNames: ['network'] as const,
      aggregator: 'max',
      registers,
    }),
    pendingDocumentBytes: new Gauge({
      name: 'slipway_documents_pending_bytes',
      help: 'Bytes of hosted documents that the chain does not name yet.',
      aggregator: 'max',
      registers,
    }),
    documentsRefused: new Counter({
      name: 'slipway_documents_refused_total',
      help: 'Mints and launches that were refused because a limit for hosted documents was reached.',
      labelNames: ['network', 'reason'] as const,
      registers,
    }),
    eventStreamsRefused: new Counter({
      name: 'slipway_event_streams_refused_total',
      help: 'Event streams that were refused, because the client or the node had too many.',
      labelNames: ['reason'] as const,
      registers,
    }),
    eventStreamsCut: new Counter({
      name: 'slipway_event_streams_cut_total',
      help: 'Event streams that were closed because the client read too slowly or not at all.',
      labelNames: ['reason'] as const,
      registers,
    }),
    eventsSent: new Counter({
      name: 'slipway_events_sent_total',
      help: 'Events sent, counted once for each stream.',
      registers,
    }),
    socialSeconds: new Histogram({
      name: 'slipway_social_request_duration_seconds',
      help: 'Duration of one request to the social network, including the wait for a connection.',
      labelNames: ['outcome'] as const,
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    socialNotAsked: new Counter({
      name: 'slipway_social_not_asked_total',
      help: 'Verifications that failed without a request to the social network.',
      labelNames: ['reason'] as const,
      registers,
    }),
    rpcSeconds: new Histogram({
      name: 'slipway_rpc_request_duration_seconds',
      help: 'Duration of one request attempt at an RPC endpoint, by outcome.',
      labelNames: ['network', 'endpoint', 'method', 'outcome'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    rpcRetries: new Counter({
      name: 'slipway_rpc_retries_total',
      help: 'Retried RPC calls, by the reason for the retry.',
      labelNames: ['network', 'method', 'reason'] as const,
      registers,
    }),
    rpcUp: new Gauge({
      name: 'slipway_rpc_endpoint_up',
      help: '0 while an RPC endpoint is paused after failures.',
      labelNames: ['network', 'endpoint'] as const,
      aggregator: 'min',
      registers,
    }),
    rpcForeign: new Gauge({
      name: 'slipway_rpc_endpoint_foreign',
      help: '1 if an RPC endpoint belongs to another cluster and is not used.',
      labelNames: ['network', 'endpoint'],
      aggregator: 'max',
      registers,
    }),
    rpcSlot: new Gauge({
      name: 'slipway_rpc_slot',
      help: 'Slot of the latest response of an RPC endpoint.',
      labelNames: ['network', 'endpoint'] as const,
      aggregator: 'max',
      registers,
    }),
    rpcAllBehind: new Counter({
      name: 'slipway_rpc_all_behind_total',
      help: 'RPC calls that failed because every endpoint is behind the newest slot seen.',
      labelNames: ['network'] as const,
      registers,
    }),
    rpcCoalescedReads: new Counter({
      name: 'slipway_rpc_coalesced_reads_total',
      help: 'Account reads that shared a call with other reads.',
      labelNames: ['network'] as const,
      registers,
    }),
    bucketSearches: new Counter({
      name: 'slipway_bucket_searches_total',
      help: "On-chain searches for a wallet's buckets, by outcome.",
      labelNames: ['network', 'outcome'] as const,
      registers,
    }),
    rewardsWithheld: new Counter({
      name: 'slipway_rewards_withheld_total',
      help: 'Reads of creator rewards that found indexed accounts missing on a chain that cannot be trusted.',
      labelNames: ['network'] as const,
      registers,
    }),
    documentSeconds: new Histogram({
      name: 'slipway_document_fetch_duration_seconds',
      help: 'Duration of one fetch of an external document, by outcome.',
      labelNames: ['outcome'] as const,
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    indexLeading: new Gauge({
      name: 'slipway_index_leading',
      help: '1 while this node indexes the network.',
      labelNames: ['network'] as const,
      registers,
    }),
    indexPolling: new Gauge({
      name: 'slipway_index_polling',
      help: '1 while subscriptions are unavailable and the chain is polled instead.',
      labelNames: ['network'] as const,
      aggregator: 'max',
      registers,
    }),
    indexSlot: new Gauge({
      name: 'slipway_index_slot',
      help: 'Slot up to which the store is complete.',
      labelNames: ['network'] as const,
      aggregator: 'max',
      registers,
    }),
    indexLagSlots: new Gauge({
      name: 'slipway_index_lag_slots',
      help: 'Slots that the store is behind the chain.',
      labelNames: ['network'] as const,
      aggregator: 'max',
      registers,
    }),
    indexLagSeconds: new Gauge({
      name: 'slipway_index_lag_seconds',
      help: 'Seconds since the chain was at the slot that the store has reached.',
      labelNames: ['network'] as const,
      aggregator: 'max',
      registers,
    }),
    indexBacklog: new Gauge({
      name: 'slipway_index_backlog',
      help: 'Changed accounts that are not yet in the store.',
      labelNames: ['network'] as const,
      aggregator: 'max',
      registers,
    }),
    indexChanges: new Counter({
      name: 'slipway_index_changes_total',
      help: 'Rows that were updated from the chain.',
      labelNames: ['network', 'kind'] as const,
      registers,
    }),
    indexRemovals: new Counter({
      name: 'slipway_index_removals_total',
      help: 'Accounts removed from the index because the chain no longer has them.',
      labelNames: ['network', 'kind'],
      registers,
    }),
    indexHeld: new Gauge({
      name: 'slipway_index_removals_held',
      help: 'Accounts that are missing on the chain but kept, because too many are missing at once.',
      labelNames: ['network'],
      aggregator: 'max',
      registers,
    }),
    trades: new Counter({
      name: 'slipway_trades_stored_total',
      help: 'Trades added to the store.',
      labelNames: ['network'] as const,
      registers,
    }),
    tradesRequests: new Counter({
      name: 'slipway_trades_rpc_requests_total',
      help: 'RPC requests that were made to read trades.',
      labelNames: ['network'] as const,
      registers,
    }),
    tradesBehind: new Gauge({
      name: 'slipway_trades_launches_behind',
      help: 'Launches whose trades are not all in the store. Only the node that reads trades reports it.',
      labelNames: ['network'] as const,
      aggregator: 'max',
      registers,
    }),
    logLinesDropped: new Counter({
      name: 'slipway_log_lines_dropped_total',
      help: 'Log lines that could not be written, for example because the disk is full.',
      registers,
    }),
    indexGaps: new Counter({
      name: 'slipway_index_gaps_repaired_total',
      help: 'Full reads of the chain because changes may have been missed.',
      labelNames: ['network'] as const,
      registers,
    }),
  }
  for (const [name, reasons] of Object.entries(REASONS))
    for (const reason of reasons) metrics[name as keyof typeof REASONS].inc({ reason }, 0)
  return metrics
}

export type Metrics = ReturnType<typeof createMetrics>
