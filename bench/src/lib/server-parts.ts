import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRateLimiter } from '@slipway/service/http/ingress/rate-limit'
import type { ServerParts } from '@slipway/service/http/server'
import type { SocialSettings } from '@slipway/service/social/social'
import { createLog } from '@slipway/service/telemetry/log'
import { createMetrics } from '@slipway/service/telemetry/metrics'
import { createReadiness } from '@slipway/service/telemetry/readiness'

/** A folder that can't be created, for a node that keeps nothing between starts. */
export const NO_FOLDER = join(tmpdir(), 'slipway-bench-missing', 'data')

/** Requests are counted, but never exceed the limit. */
export const RATE_LIMITS = {
  reads: 1_000_000_000,
  writes: 1_000_000_000,
  chainReads: 0,
  checks: 1_000_000_000,
}

/** The benchmarks never call the social network. */
export const SOCIAL_SETTINGS: SocialSettings = {
  apiUrl: 'http://127.0.0.1:9',
  tokenSecret: 'a secret that the benchmarks never use',
  tokenSecretPrevious: undefined,
}

/** All parts of the HTTP server except the endpoints, as in production. */
export function createServerParts(): Omit<ServerParts, 'endpoints'> {
  const log = createLog('info')
  return {
    limiter: createRateLimiter(RATE_LIMITS),
    metrics: createMetrics(),
    readiness: createReadiness([]),
    log: {
      warn: (fields, message) => log.warn(fields, message),
      error: (fields, message) => log.error(fields, message),
      writeLines: log.writeLines,
    },
    publicUrl: 'https://slipway.example',
    connectionsPerClient: 0,
    trustedProxies: [],
  }
}
