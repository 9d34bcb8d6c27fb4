import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@slipway/schema/errors'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import { createAgentBook } from '../agents/agent-book.ts'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { createListingLane } from '../http/listing-lane.ts'
import { createMetrics } from '../http/metrics.ts'
import { createRateLimiter } from '../http/rate-limit.ts'
import { listEndpoints } from '../http/routes.ts'
import { createServer, type ServerParts } from '../http/server.ts'
import { createLaunchSnapshots } from '../launches/launch-snapshots.ts'
import { createSocial } from '../social/social.ts'
import type { LaunchRecord } from '../store/launches.ts'
import { TEST_SOCIAL } from './test-service.ts'

/** An endpoint of each family that takes a body, so that what is true of every body can be shown. */
const probes: Endpoint[] = (
  ['/v1/creator-rewards/{wallet}/probe', '/v1/agents/{address}/probe'] as const
).map(path =>
  defineEndpoint({
    method: 'POST',
    path,
    id: `probe${path.length}`,
    tag: 'Probes',
    summary: 'Probe',
    description: 'Answers with the word it was given.',
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

const LAUNCH_PAGE = 'https://slipway.example/launches/{genesisAddress}'

/** No agent is registered anywhere. */
const nobody = createAgentBook({
  find: async () => ({ row: undefined, verifiedAt: undefined, authoredCard: undefined }),
  read: async () => ({ row: undefined, verifiedAt: undefined, authoredCard: undefined }),
  isServed: () => true,
  tokensOf: () => [],
  publicUrl: 'https://slipway.example',
  onRefreshFailed() {},
})

/** The HTTP face over launches that never change, with what it logged. */
export async function startProbeServer(
  options: Partial<Pick<ServerParts, 'trustedProxies' | 'publicUrl' | 'readiness' | 'lanes'>> & {
    limits?: { reads: number; writes: number }
    launches?: LaunchRecord[]
  } = {},
) {
  const logged: { level: string; fields: object; message: string }[] = []
  const write = (level: string) => (fields: object, message: string) =>
    void logged.push({ level, fields, message })
  const snapshots = createLaunchSnapshots({
    source: {
      async *readAll() {
        yield options.launches ?? []
      },
      read: async () => {
        throw new Error('nothing was announced')
      },
    },
    launchPage: LAUNCH_PAGE,
    observer: { onUpdated: () => {}, onFailed: () => {}, onCompressionFailed: () => {} },
  })
  snapshots.everythingChanged()
  await snapshots.caughtUp()
  const social = createSocial(TEST_SOCIAL, { onAnswer: () => {}, onNotAsked: () => {} })
  const app = createServer({
    endpoints: [
      ...listEndpoints({
        snapshots,
        agents: nobody,
        social,
        register: async () => {
          throw new ServiceError('INVALID_INPUT')
        },
        launchPage: LAUNCH_PAGE,
        chainOf: () => undefined,
        rewardsOf: () => undefined,
      }),
      ...probes,
    ],
    lanes: options.lanes ?? [createListingLane(snapshots)],
    limiter: createRateLimiter(options.limits ?? { reads: 0, writes: 0 }),
    metrics: createMetrics(),
    readiness: options.readiness ?? [],
    log: {
      warn: write('warn'),
      error: write('error'),
      writeLines(lines) {
        for (const line of lines.trimEnd().split('\n')) write('info')(JSON.parse(line), 'request')
      },
    },
    publicUrl: options.publicUrl ?? 'https://slipway.example',
    trustedProxies: options.trustedProxies ?? [],
  })
  onTestFinished(async () => {
    await app.close()
    await snapshots.close()
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, app, logged, snapshots }
}
