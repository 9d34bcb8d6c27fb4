import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from '@slipway/schema/address'
import type { Mechanic } from '@slipway/schema/launch'
import { type AgentCache, createAgentCache } from '@slipway/service/agents/agent-cache'
import type { AgentDocuments } from '@slipway/service/agents/agent-documents'
import { createRateLimiter } from '@slipway/service/http/ingress/rate-limit'
import type { ServerParts } from '@slipway/service/http/server'
import type { SocialSettings } from '@slipway/service/social/social'
import type { AgentRow } from '@slipway/service/store/agents'
import type { LaunchRecord } from '@slipway/service/store/read-launches'
import { createLog } from '@slipway/service/telemetry/log'
import { createMetrics } from '@slipway/service/telemetry/metrics'
import { createReadiness } from '@slipway/service/telemetry/readiness'
import { getAddressDecoder } from '@solana/addresses'

export const SAMPLE_AGENT = '8Yv9Z1kJc3cQ6bqgF2dVvPzv1kxhQ8mFvYw3oZpT7y4H' as Address

export const SAMPLE_OWNER = 'FfRoem2QSNzGXctC4bEf9JXXg4fN7HqbEFomB3rYtJuw' as Address

const URI = 'https://agents.example/tidewatch/registration.json'
const documents: AgentDocuments = {
  registration: {
    uri: URI,
    value: {
      name: 'Tidewatch',
      description: 'Tide tables and small-craft warnings for harbours that the big services leave out.',
      image: 'https://images.example/tidewatch.png',
      services: [
        {
          name: 'A2A',
          endpoint: 'https://agents.example/tidewatch/a2a',
          version: '0.3.0',
          skills: [
            { id: 'forecast', name: 'Forecast a tide', description: 'Forecast a tide.', tags: ['weather'] },
            { id: 'warn', name: 'Warn small craft', description: 'Warn small craft.', tags: ['weather'] },
          ],
        },
      ],
    },
    fields: { type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1', active: true },
  },
}

const row: AgentRow = {
  network: 'chain-mainnet',
  address: SAMPLE_AGENT,
  owner: SAMPLE_OWNER,
  authority: null,
  name: 'Tidewatch',
  uri: '',
  identityVersion: 2,
  agentUri: URI,
  agentToken: null,
  slot: 1,
  documents: { ...documents },
}

/** The agents of a service that knows only this one. */
export function sampleAgents(): AgentCache {
  const remembered = { row, verifiedAt: undefined, authoredCard: undefined }
  return createAgentCache({
    find: async () => remembered,
    read: async () => remembered,
    isServed: () => true,
    tokensOf: () => [],
    chargeChainRead() {},
    publicUrl: 'https://slipway.example',
    onRefreshFailed(error) {
      throw error
    },
  })
}

const MECHANICS: Mechanic[] = ['launchpoolV2', 'bondingCurveV2', 'presaleV2']
const DAY_MS = 86_400_000

/** A launch of a realistic size, about 790 bytes of JSON. The same index gives the same launch. */
export function sampleLaunch(index: number): LaunchRecord {
  const random = createHash('sha256').update(`bench ${index}`).digest()
  const address = (salt: string) =>
    getAddressDecoder().decode(createHash('sha256').update(`${salt} ${index}`).digest())
  const nowMs = Date.UTC(2026, 0, 1)
  const startsAt = new Date(nowMs - (random.readUInt16BE(0) % 60) * DAY_MS)
  const mint = address('mint')
  const slug = random.toString('hex').slice(0, 10)
  return {
    id: `${random.toString('hex', 0, 4)}-0000-4000-8000-${random.toString('hex', 4, 10)}`,
    network: 'chain-mainnet',
    genesisAddress: address('genesis'),
    mint,
    mechanic: MECHANICS[index % 3] as Mechanic,
    startsAt,
    endsAt: new Date(startsAt.getTime() + 3 * DAY_MS),
    graduatedAt: index % 4 === 0 ? new Date(startsAt.getTime() + 3 * DAY_MS) : null,
    lastActivityAt: new Date(nowMs - random.readUInt32BE(4)),
    registeredAt: startsAt,
    spotlight: index % 100 === 0,
    heroUrl: `heroes/${slug}.webp`,
    website: `https://${slug}.example`,
    socials: {
      x: `https://x.com/${slug}`,
      telegram: `https://t.me/${slug}`,
      discord: `https://discord.gg/${slug}`,
    },
    agent: null,
    createdToken: true,
    hidden: false,
    slot: 0,
    verifiedSocials: [],
    token: {
      address: mint,
      name: `Sample ${slug}`,
      symbol: slug.slice(0, 4).toUpperCase(),
      image: `https://images.example/${slug}/token.png`,
      description: `Launch number ${index}, with a description of the usual length for launches, ${random.toString('base64')}.`,
    },
    version: 0,
  }
}

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
