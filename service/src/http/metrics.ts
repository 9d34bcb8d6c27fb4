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
  }
}

export type Metrics = ReturnType<typeof createMetrics>
