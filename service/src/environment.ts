import { availableParallelism } from 'node:os'
import proxyAddr from '@fastify/proxy-addr'
import { PORT_OFFSETS } from '@slipway/local-chain/ports'
import { NETWORK_TABLE } from '@slipway/schema/network-table'
import { parseUrl } from '@slipway/schema/url'
import { z } from 'zod'
import { parsePublicJwks, parseSigningKey } from './lib/signing-key.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const LOCAL_CHAIN_MODES = ['auto', 'on', 'off'] as const
export type LocalChainMode = (typeof LOCAL_CHAIN_MODES)[number]

const PORT_MAX = 65_535
const WORKERS_MAX = 64
const SHUTDOWN_DELAY_MAX = 3_600
const LOCAL_CHAIN_PORT_MAX = PORT_MAX - Math.max(...PORT_OFFSETS)

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))

/** The end of the names of a network's variables. */
export type NetworkSuffix = (typeof NETWORK_TABLE)[keyof typeof NETWORK_TABLE]['suffix']

/** One variable for each network. */
const perNetwork = <Prefix extends string, Schema extends z.ZodType>(prefix: Prefix, schema: Schema) =>
  Object.fromEntries(Object.values(NETWORK_TABLE).map(({ suffix }) => [`${prefix}${suffix}`, schema])) as {
    [Name in `${Prefix}${NetworkSuffix}`]: Schema
  }

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.string().toLowerCase().pipe(z.enum(values))

const onOff = z.stringbool({ truthy: ['on'], falsy: ['off'] })

const toList = (text: string) => text.split(',').map(entry => entry.trim())

const rpcUrls = z
  .string()
  .transform(toList)
  .pipe(z.array(z.url({ protocol: /^https?$/ })))
const rpcUrl = z.url({ protocol: /^https?$/ })
const webSocketUrl = z.url({ protocol: /^wss?$/ })

/** A URL that paths can be appended to, without its trailing slash. */
const baseUrl = z
  .url({ protocol: /^https?$/ })
  .transform(text => new URL(text))
  .refine(url => !url.search && !url.hash && !url.username && !url.password)
  .transform(url => url.href.replace(/\/+$/, ''))
/** A URL on the chain has at most 200 bytes; the path of a document takes 83 of them. */
const PUBLIC_URL_BYTES_MAX = 110
const publicUrl = baseUrl.refine(url => Buffer.byteLength(url) <= PUBLIC_URL_BYTES_MAX)
const publicUrls = z.string().transform(toList).pipe(z.array(baseUrl))
const gateway = baseUrl.transform(url => `${url}/`)

const hosts = z
  .string()
  .transform(toList)
  .pipe(
    z.array(
      z
        .string()
        .toLowerCase()
        .regex(/^(\[[\da-f:.]+\]|[a-z\d_.-]+)(:\d{1,5})?$/),
    ),
  )

const proxies = z
  .string()
  .transform(text => (text.toLowerCase() === 'off' ? [] : toList(text)))
  .refine(areProxies)

/** A text that `parse` accepts; its errors are not shown, because they may repeat a key. */
const parsedBy = <T>(parse: (text: string) => T) =>
  z.string().transform((text, context) => {
    try {
      return parse(text)
    } catch {
      context.addIssue({ code: 'custom' })
      return z.NEVER
    }
  })

const secret = z.string().refine(text => Buffer.byteLength(text) >= 32)
const rateLimit = wholeNumber(0, 1_000_000_000)

const workers = z
  .string()
  .transform(text =>
    text.toLowerCase() === 'auto' ? `${Math.min(availableParallelism(), WORKERS_MAX)}` : text,
  )
  .pipe(wholeNumber(1, WORKERS_MAX))

const host = z.string().regex(/^[\w.:-]+$/)

const PORT_NUMBER = `a port number from 1 to ${PORT_MAX}`
const LISTEN_HOST = 'a host name or address to listen on, such as 0.0.0.0'
const BASE_URL = 'an http or https URL without query or fragment, such as https://example.com'
const RPC_URLS = 'a comma-separated list of http or https URLs, such as https://rpc.example.com'
const RPC_URL = 'an http or https URL, such as https://rpc.example.com'
const WEB_SOCKET_URL = 'a ws or wss URL, such as wss://rpc.example.com'
const SECRET = '32 bytes or more'
const RATE_LIMIT = 'a number of requests per minute per client, or 0 for no limit'

/** Every variable that the service reads. The description completes the sentence "<name> must be …". */
export const Environment = z.object({
  PORT: wholeNumber(1, PORT_MAX).default(8080).describe(PORT_NUMBER),
  HOST: host.default('127.0.0.1').describe(LISTEN_HOST),
  PUBLIC_URL: publicUrl.optional().describe(`${BASE_URL}, of at most ${PUBLIC_URL_BYTES_MAX} bytes`),
  PUBLIC_URL_PREVIOUS: publicUrls
    .default([])
    .describe('a comma-separated list of http or https URLs without query or fragment'),
  LAUNCH_PAGE_URL: z
    .string()
    .refine(isLaunchPage)
    .optional()
    .describe(
      'an http or https URL that contains {genesisAddress}, such as https://example.com/{genesisAddress}',
    ),
  DATA_DIR: z.string().default('./data').describe('a folder'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .optional()
    .describe('a PostgreSQL URL, such as postgres://user:password@host:5432/slipway'),
  ...perNetwork('RPC_URL_', rpcUrls.default([]).describe(RPC_URLS)),
  ...perNetwork('RPC_WS_URL_', webSocketUrl.optional().describe(WEB_SOCKET_URL)),
  ...perNetwork('PUBLIC_RPC_URL_', rpcUrl.optional().describe(RPC_URL)),
  LOCAL_CHAIN: oneOf(LOCAL_CHAIN_MODES)
    .default('auto')
    .describe(`one of ${LOCAL_CHAIN_MODES.join(', ')}`),
  LOCAL_CHAIN_PORT: wholeNumber(1, LOCAL_CHAIN_PORT_MAX)
    .default(8899)
    .describe(
      `a port number from 1 to ${LOCAL_CHAIN_PORT_MAX} (the embedded chains also use ports above it)`,
    ),
  LOCAL_CHAIN_ACTIVITY: onOff.default(false).describe('on or off'),
  SOCIAL_API_URL: baseUrl.optional().describe(BASE_URL),
  SOCIAL_TOKEN_SECRET: secret.optional().describe(SECRET),
  SOCIAL_TOKEN_SECRET_PREVIOUS: secret.optional().describe(SECRET),
  CARD_SIGNING_KEY: parsedBy(parseSigningKey)
    .optional()
    .describe('a private JWK for ES256 (P-256) or EdDSA (Ed25519)'),
  CARD_SIGNING_KEYS_PREVIOUS: parsedBy(parsePublicJwks)
    .default([])
    .describe('a JWK set, or a JSON array of JWKs, for ES256 (P-256) or EdDSA (Ed25519)'),
  METADATA_ALLOW_HOSTS: hosts
    .default([])
    .describe('a comma-separated list of host names or addresses, each optionally with a :port'),
  IPFS_GATEWAY: gateway.default('https://ipfs.io/ipfs/').describe(BASE_URL),
  ARWEAVE_GATEWAY: gateway.default('https://arweave.net/').describe(BASE_URL),
  FRESH_KEYS: onOff.default(true).describe('on or off'),
  TRADES_DAYS: wholeNumber(0, 100_000)
    .default(0)
    .describe('a number of days for which trades are kept, or 0 to keep all'),
  TRADES: onOff.default(true).describe('on or off'),
  TRADES_RPC_PER_SECOND: wholeNumber(1, 100_000)
    .default(10)
    .describe('a number of RPC requests per second for each network'),
  INDEXER: onOff.default(true).describe('on or off'),
  SITE: onOff.default(true).describe('on or off'),
  RATE_LIMIT_READS: rateLimit.default(600).describe(RATE_LIMIT),
  RATE_LIMIT_WRITES: rateLimit.default(60).describe(RATE_LIMIT),
  RATE_LIMIT_CHAIN_READS: rateLimit.default(240).describe(RATE_LIMIT),
  EVENT_STREAMS_MAX: wholeNumber(0, 1_000_000).default(10_000).describe('a number of open event streams'),
  TRUST_PROXY: proxies
    .default([])
    .describe('off, or a comma-separated list of addresses, CIDR ranges, loopback, linklocal or uniquelocal'),
  LOG_LEVEL: oneOf(LOG_LEVELS)
    .default('info')
    .describe(`one of ${LOG_LEVELS.join(', ')}`),
  METRICS_PORT: wholeNumber(1, PORT_MAX).optional().describe(PORT_NUMBER),
  METRICS_HOST: host.optional().describe(LISTEN_HOST),
  WORKERS: workers.default(1).describe(`auto, or a number of processes from 1 to ${WORKERS_MAX}`),
  SHUTDOWN_DELAY: wholeNumber(0, SHUTDOWN_DELAY_MAX)
    .default(0)
    .describe(`a number of seconds from 0 to ${SHUTDOWN_DELAY_MAX}`),
})

function isLaunchPage(text: string): boolean {
  const sample = text.replaceAll('{genesisAddress}', 'a'.repeat(32)).replaceAll('{network}', 'chain-devnet')
  const url = parseUrl(sample)
  if (!text.includes('{genesisAddress}') || /[\s{}]/.test(sample) || !url) return false
  return /^https?:$/.test(url.protocol) && !url.username && !url.password
}

function areProxies(names: string[]): boolean {
  try {
    proxyAddr.compile(names)
    return true
  } catch {
    return false
  }
}
