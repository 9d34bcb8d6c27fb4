import { resolve } from 'node:path'
import { NETWORKS, type Network } from '@slipway/schema/network'
import { NETWORK_TABLE } from '@slipway/schema/network-table'
import { Environment, type NetworkSuffix } from './environment.ts'
import type { PublicJwk, SigningKey } from './lib/signing-key.ts'
import { OperatorError } from './operator-error.ts'

/** A network that is left out is not served. */
type PerNetwork<T> = Partial<Record<Network, T>>

export type Config = ReturnType<typeof parseConfig>

export const ENVIRONMENT_VARIABLES = Object.keys(Environment.shape)
/** Health checks and metrics: 20 probes per second from one address. */
const CHECKS_PER_MINUTE = 1_200
const CONNECTIONS_PER_CLIENT = 256
const DOCUMENT_BUDGETS = { ownerBytesMax: 64 * 1_024 ** 2, devnetBytesMax: 1_024 ** 3 }
const DEPLOYMENT_VARIABLES = ['RPC_URL_MAINNET', 'RPC_URL_DEVNET', 'PUBLIC_URL']

/** An empty variable counts as absent. Throws an `OperatorError` that names the first invalid variable. */
export function parseConfig(env: Record<string, string | undefined>) {
  const values = ENVIRONMENT_VARIABLES.map(name => [name, env[name]?.trim() || undefined])
  const parsed = Environment.safeParse(Object.fromEntries(values))
  if (!parsed.success) {
    const name = parsed.error.issues[0]?.path[0] as keyof typeof Environment.shape
    // The value itself is not repeated, because it may contain a password.
    throw new OperatorError(`${name} must be ${Environment.shape[name].description}`)
  }
  const { PUBLIC_URL, METRICS_HOST = '127.0.0.1', ...set } = parsed.data
  if (parsed.data.METRICS_HOST !== undefined && set.METRICS_PORT === undefined)
    throw new OperatorError('METRICS_HOST needs METRICS_PORT. Set both, or neither.')
  const cardSigning = { key: set.CARD_SIGNING_KEY, previous: set.CARD_SIGNING_KEYS_PREVIOUS }
  assertKids(cardSigning)
  const publicUrl = PUBLIC_URL ?? `http://localhost:${set.PORT}`
  return {
    port: set.PORT,
    host: set.HOST,
    /** Without a trailing slash. Card URLs start with it, and launch pages too unless `LAUNCH_PAGE_URL` is set. */
    publicUrl,
    /** Former public URLs. Documents and cards under them are still ours. */
    publicUrlsPrevious: set.PUBLIC_URL_PREVIOUS,
    /**
     * Whether documents are hosted for a network. Their URLs are written to its chain and must last, so `PUBLIC_URL`
     * must be set, unless the chain is embedded.
     */
    hostsDocuments: byNetwork(() => PUBLIC_URL !== undefined),
    /** Whether the service signs with the fresh key of a new account if the caller brings none. */
    freshKeys: set.FRESH_KEYS,
    /** URL of a launch page, with the placeholder `{genesisAddress}` and optionally `{network}`. */
    launchPage: set.LAUNCH_PAGE_URL ?? `${publicUrl}/launches/{genesisAddress}`,
    dataDir: resolve(set.DATA_DIR),
    /** Absent: the embedded PostgreSQL in `dataDir`. */
    databaseUrl: set.DATABASE_URL,
    /** The variables that are set and that only a deployment needs: commands then leave the embedded store alone. */
    deploymentVariables: DEPLOYMENT_VARIABLES.filter(name => env[name]?.trim()),
    /** In order of preference; empty for a network without an RPC. */
    rpcUrls: byNetwork(suffix => set[`RPC_URL_${suffix}`]),
    /** Absent: derived from the first RPC URL of the network. */
    rpcWsUrls: byNetwork(suffix => set[`RPC_WS_URL_${suffix}`]),
    localChain: {
      mode: set.LOCAL_CHAIN,
      activity: set.LOCAL_CHAIN_ACTIVITY,
      port: set.LOCAL_CHAIN_PORT,
    },
    social: {
      /** Absent: the real network's API, or the stand-in while the chains are embedded. */
      apiUrl: set.SOCIAL_API_URL,
      /** Absent: generated and kept in `dataDir` while the chains are embedded. */
      tokenSecret: set.SOCIAL_TOKEN_SECRET,
      /** For rotation: tokens signed with it are still accepted. */
      tokenSecretPrevious: set.SOCIAL_TOKEN_SECRET_PREVIOUS,
    },
    /** Without a key, one is generated and kept in `dataDir` while the chains are embedded; otherwise cards are not signed. */
    cardSigning,
    metadata: {
      /** `host` or `host:port`: documents may be fetched from there even if the address is private. */
      allowHosts: set.METADATA_ALLOW_HOSTS,
      /** Both end in a slash. */
      ipfsGateway: set.IPFS_GATEWAY,
      arweaveGateway: set.ARWEAVE_GATEWAY,
    },
    /** Days for which trades are kept; 0 for ever. */
    tradesDays: set.TRADES_DAYS,
    indexer: set.INDEXER,
    /** RPC requests per second that read trades, for each network; 0 if none are read. */
    tradesPerSecond: set.TRADES ? set.TRADES_RPC_PER_SECOND : 0,
    /** Whether pages are served beside the API. */
    site: set.SITE,
    /** RPC URLs that browsers may use. Those above may contain keys and never reach one. */
    publicRpcUrls: byNetwork(suffix => set[`PUBLIC_RPC_URL_${suffix}`]),
    /** Requests per minute per client; 0 disables the limit. */
    rateLimits: {
      reads: set.RATE_LIMIT_READS,
      writes: set.RATE_LIMIT_WRITES,
      chainReads: set.RATE_LIMIT_CHAIN_READS,
      checks: CHECKS_PER_MINUTE,
    },
    /** Open connections per client; 0 disables the limit. */
    connectionsPerClient: CONNECTIONS_PER_CLIENT,
    /** Open event streams of this node. */
    eventStreamsMax: set.EVENT_STREAMS_MAX,
    documentBudgets: DOCUMENT_BUDGETS,
    trustedProxies: set.TRUST_PROXY,
    logLevel: set.LOG_LEVEL,
    /** The listener for metrics and the details of readiness; without a port, they are public. */
    metrics: { port: set.METRICS_PORT, host: METRICS_HOST },
    /** Processes that serve. With one, this process does everything. */
    workers: set.WORKERS,
    /** How long a stopping node still serves, so that load balancers notice. */
    shutdownDelaySeconds: set.SHUTDOWN_DELAY,
  }
}

/**
 * Whether the chains are embedded. Without any chain the service doesn't start: a production database with a
 * forgotten RPC variable must not end up on a demo chain.
 */
export function embedsChains({ databaseUrl, rpcUrls, localChain: { mode } }: Config): boolean {
  if (mode === 'on') return true
  if (Object.values(rpcUrls).some(urls => urls.length > 0)) return false
  if (mode === 'auto' && databaseUrl === undefined) return true
  const reason = mode === 'off' ? 'LOCAL_CHAIN is off' : 'DATABASE_URL is set'
  throw new OperatorError(
    `${reason}, but no chain is configured. Set RPC_URL_MAINNET or RPC_URL_DEVNET, or LOCAL_CHAIN=on for embedded demo chains.`,
  )
}

/** Verifiers find a key by its kid. */
function assertKids({ key, previous }: { key: SigningKey | undefined; previous: PublicJwk[] }): void {
  const keys = key ? [key.publicJwk, ...previous] : previous
  if (keys.some(({ kid, x, y }) => keys.some(other => other.kid === kid && (other.x !== x || other.y !== y))))
    throw new OperatorError(
      'CARD_SIGNING_KEYS_PREVIOUS has a kid that belongs to two different keys. Change it, or leave it out.',
    )
}

/** A value for each network, from the end of the names of its variables. */
const byNetwork = <T>(read: (suffix: NetworkSuffix) => T): PerNetwork<T> =>
  Object.fromEntries(NETWORKS.map(network => [network, read(NETWORK_TABLE[network].suffix)])) as PerNetwork<T>
