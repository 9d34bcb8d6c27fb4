import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@slipway/schema/errors'
import { beforeAll, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createAgentCache } from '../agents/agent-cache.ts'
import { listEndpoints } from '../app/list-endpoints.ts'
import { parseConfig } from '../config.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { createEventFeed } from '../events/event-feed.ts'
import { createRateLimiter } from '../http/ingress/rate-limit.ts'
import { createServer, type ServerParts } from '../http/server.ts'
import { createLaunchSnapshots } from '../launches/launch-snapshots.ts'
import { createSocial } from '../social/social.ts'
import type { LaunchRecord } from '../store/read-launches.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { createReadiness, type ReadinessPart } from '../telemetry/readiness.ts'
import { TEST_SOCIAL } from './test-service.ts'

/** One endpoint per error family that takes a body, to test what is true of every body. */
const probes: Endpoint[] = (
  ['/v1/creator-rewards/{wallet}/probe', '/v1/agents/{address}/probe'] as const
).map(path =>
  defineEndpoint({
    method: 'POST',
    path,
    id: `probe${path.length}`,
    tag: 'Operations',
    summary: 'Probe',
    description: 'Answers with the word in the request.',
    body: z.object({ word: z.string() }),
    faults: { body: path.includes('agents') ? 'INVALID_INPUT' : 'INVALID_JSON', word: 'INVALID_INPUT' },
    success: { description: 'The word.', schema: z.object({ word: z.string() }), example: { word: 'yes' } },
    errors: [],
    async answer({ body }) {
      if (body.word === 'wait') await sleep(300)
      if (body.word === 'explode') throw new Error('secret postgres://user:hunter2@host/db')
      if (body.word === 'missing') throw new ServiceError('NOT_FOUND')
      return { kind: 'json', value: { word: body.word } }
    },
  }),
)

/** Fails on any use. */
const UNUSED = undefined as never
const LAUNCH_PAGE = 'https://slipway.example/launches/{genesisAddress}'

/** Without any agents. */
const agents = createAgentCache({
  find: async () => ({ row: undefined, verifiedAt: undefined, authoredCard: undefined }),
  read: async () => ({ row: undefined, verifiedAt: undefined, authoredCard: undefined }),
  isServed: () => true,
  tokensOf: () => [],
  chargeChainRead() {},
  publicUrl: 'https://slipway.example',
  onRefreshFailed() {},
})

/** Its streams end at once. */
const closedFeed = createEventFeed({
  database: UNUSED,
  describe: async () => [],
  streamsMax: 0,
  beforePublish: async () => {},
  observer: { onCount() {}, onSent() {}, onRefused() {}, onCut() {}, onFault() {} },
})
closedFeed.close()

const toPage = (address: string) => ({
  url: LAUNCH_PAGE.replace('{genesisAddress}', address),
  changedMs: 0,
})

/** One for all tests of a file that leave no trace in it. */
export function useProbeServer(options: ProbeOptions = {}) {
  let server: Awaited<ReturnType<typeof startProbeServer>>
  beforeAll(async () => {
    let stop = async () => {}
    server = await startProbeServer(options, stopIt => {
      stop = stopIt
    })
    return () => stop()
  })
  return () => server
}

type ProbeOptions = Partial<
  Pick<
    ServerParts,
    | 'trustedProxies'
    | 'publicUrl'
    | 'hidesDetails'
    | 'isStarting'
    | 'draining'
    | 'connectionsPerClient'
    | 'site'
  >
> & {
  readiness?: ReadinessPart[]
  limits?: { reads: number; writes: number; checks?: number }
  launches?: LaunchRecord[]
  /** In addition to those of the service. */
  endpoints?: Endpoint[]
}

/** Starts the HTTP server over launches that never change, and collects what it logs. */
export async function startProbeServer(
  options: ProbeOptions = {},
  onEnd: (stop: () => Promise<void>) => void = onTestFinished,
) {
  const logged: { level: string; fields: object; message: string }[] = []
  const write = (level: string) => (fields: object, message: string) =>
    void logged.push({ level, fields, message })
  const { launches = [] } = options
  const snapshots = createLaunchSnapshots({
    source: {
      async *readVersions() {
        yield launches
      },
      read: async (_network, addresses) =>
        launches.filter(({ genesisAddress }) => addresses.includes(genesisAddress)),
    },
    launchPage: LAUNCH_PAGE,
    observer: { onUpdated: () => {}, onFailed: () => {}, onCompressionFailed: () => {} },
  })
  snapshots.everythingChanged()
  await snapshots.caughtUp()
  const social = createSocial(TEST_SOCIAL, { onAnswer: () => {}, onNotAsked: () => {} })
  const endpoints = [
    ...listEndpoints({
      ...parseConfig({}),
      database: UNUSED,
      chains: {},
      snapshots,
      launchList: {
        find: async () => ({ data: [], page: { next: null, total: 0 } }),
        changed: () => {},
        version: () => 0,
        start: async () => {},
      },
      agents,
      agentList: {
        find: async ({ page, pageSize }) => ({ agents: [], total: 0, page, pageSize, totalPages: 0 }),
        findOne: async () => undefined,
        changed: () => {},
        start: async () => {},
      },
      events: closedFeed,
      rewards: {},
      markets: {},
      readPosition: async () => {
        throw new ServiceError('LAUNCH_NOT_FOUND')
      },
      social,
      register: async () => {
        throw new ServiceError('INVALID_INPUT')
      },
      hostDocument: async () => {
        throw new ServiceError('INVALID_INPUT')
      },
      showChange: async () => {},
      launchPage: LAUNCH_PAGE,
    }),
    ...probes,
    ...(options.endpoints ?? []),
  ]
  const app = createServer({
    endpoints: options.isStarting ? [] : endpoints,
    limiter: createRateLimiter({ reads: 0, writes: 0, chainReads: 0, checks: 0, ...options.limits }),
    connectionsPerClient: options.connectionsPerClient ?? 0,
    metrics: createMetrics(),
    readiness: createReadiness(options.readiness ?? [], options.draining),
    log: {
      warn: write('warn'),
      error: write('error'),
      logsEveryRead: true,
      writeLines(lines) {
        for (const line of lines.trimEnd().split('\n')) write('info')(JSON.parse(line), 'request')
      },
    },
    publicUrl: options.publicUrl ?? 'https://slipway.example',
    discovery: {
      networks: ['chain-mainnet'],
      listLaunchPages: () => [...snapshots.of('chain-mainnet').addresses()].map(toPage),
    },
    trustedProxies: options.trustedProxies ?? [],
    ...(options.hidesDetails && { hidesDetails: true }),
    ...(options.isStarting && { isStarting: true }),
    ...(options.draining && { draining: options.draining }),
    site: options.site,
  })
  onEnd(async () => {
    await app.close()
    await snapshots.close()
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, app, logged, snapshots }
}
