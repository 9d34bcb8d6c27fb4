import { listEndpoints } from '@slipway/service/app/list-endpoints'
import { parseConfig } from '@slipway/service/config'
import { createRateLimiter } from '@slipway/service/http/ingress/rate-limit'
import { createServer } from '@slipway/service/http/server'
import { createLaunchSnapshots } from '@slipway/service/launches/launch-snapshots'
import { createSocial } from '@slipway/service/social/social'
import { createLog } from '@slipway/service/telemetry/log'
import { createMetrics } from '@slipway/service/telemetry/metrics'
import { NO_SOCIAL } from './no-social.ts'
import { SAMPLE_AGENT, sampleAgents } from './sample-agent.ts'
import { sampleLaunch } from './sample-launches.ts'

const LAUNCH_PAGE = 'https://slipway.example/launches/{genesisAddress}'

function fail(error: unknown): never {
  throw error
}

/** The whole HTTP server of the service as in production: limits, log, metrics and all headers. */
export async function serveSlipway(launches: number): Promise<number> {
  const snapshots = createLaunchSnapshots({
    source: {
      async *readAll() {
        for (let start = 0; start < launches; start += 2_000) {
          yield Array.from({ length: Math.min(2_000, launches - start) }, (_, at) => sampleLaunch(start + at))
        }
      },
      read: async () => [],
    },
    launchPage: LAUNCH_PAGE,
    observer: {
      onUpdated: () => {},
      onFailed: fail,
      onCompressionFailed: fail,
    },
  })
  snapshots.everythingChanged()
  await snapshots.caughtUp()
  const agents = sampleAgents()
  await agents.get('chain-mainnet', SAMPLE_AGENT)
  const log = createLog('info')
  const social = createSocial(NO_SOCIAL, { onAnswer: () => {}, onNotAsked: () => {} })
  const app = createServer({
    endpoints: listEndpoints({
      ...parseConfig({}),
      database: undefined as never,
      chains: {},
      snapshots,
      agents,
      rewards: {},
      social,
      register: async () => {
        throw new Error('the benchmark registers nothing')
      },
      launchPage: LAUNCH_PAGE,
    }),
    // Requests are counted, but never exceed the limit.
    limiter: createRateLimiter({ reads: 1_000_000_000, writes: 1_000_000_000 }),
    metrics: createMetrics(),
    readiness: [],
    log: {
      warn: (fields, message) => log.warn(fields, message),
      error: (fields, message) => log.error(fields, message),
      writeLines: log.writeLines,
    },
    publicUrl: 'https://slipway.example',
    trustedProxies: [],
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as { port: number }).port
}
