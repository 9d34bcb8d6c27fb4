import { resolve } from 'node:path'
import proxyAddr from '@fastify/proxy-addr'
import type { Network } from '@slipway/schema/network'
import { OperatorError } from './operator-error.ts'

export interface Config {
  port: number
  host: string
  /** Without a trailing slash: what card URLs start with, and launch pages unless they are elsewhere. */
  publicUrl: string
  /** The page of a launch, with `{genesisAddress}` in it and perhaps `{network}`. */
  launchPage: string
  dataDir: string
  /** Absent: a PostgreSQL of our own in the data folder. */
  databaseUrl: string | undefined
  /** Tried in order; empty for a network that has none. */
  rpcUrls: Record<Network, string[]>
  /** Absent: derived from the first RPC URL of the network. */
  rpcWsUrls: Record<Network, string | undefined>
  localChain: { mode: LocalChainMode; activity: boolean; port: number }
  social: {
    /** Absent: the real network's API, or the stand-in while the chains are embedded. */
    apiUrl: string | undefined
    /** Absent: made and kept in the data folder while the chains are embedded. */
    tokenSecret: string | undefined
    /** Still accepted, no longer signed with: for rotation. */
    tokenSecretPrevious: string | undefined
  }
  metadata: {
    /** `host` or `host:port` that documents may be fetched from although it is private. */
    allowHosts: string[]
    /** Both end in a slash. */
    ipfsGateway: string
    arweaveGateway: string
  }
  indexer: boolean
  rateLimits: { reads: number; writes: number }
  trustedProxies: string[]
  logLevel: LogLevel
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const LOCAL_CHAIN_MODES = ['auto', 'on', 'off'] as const
export type LocalChainMode = (typeof LOCAL_CHAIN_MODES)[number]

/** The last port that the embedded chains take is this far above LOCAL_CHAIN_PORT. */
const LOCAL_CHAIN_SPAN = 101

/** The only reader of the environment. An empty variable counts as absent. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const read = <T>(name: string, expects: string, fallback: T, parse: (text: string) => T | undefined): T => {
    const text = env[name]?.trim()
    if (!text) return fallback
    const value = parse(text)
    // The value itself is not repeated: it may hold a password.
    if (value === undefined) throw new OperatorError(`${name} must be ${expects}`)
    return value
  }

  const port = read(
    'PORT',
    'a port number from 1 to 65535',
    8080,
    text => wholeNumber(text, 65_535) || undefined,
  )
  const ownUrl = read(
    'PUBLIC_URL',
    'an http or https URL without query or fragment, such as https://api.example.com',
    `http://localhost:${port}`,
    publicUrl,
  )
  return {
    port,
    host: read('HOST', 'a host name or address to listen on, such as 0.0.0.0', '127.0.0.1', hostName),
    publicUrl: ownUrl,
    launchPage: read(
      'LAUNCH_PAGE_URL',
      'an http or https URL with {genesisAddress} in it, such as https://example.com/launch/{genesisAddress}',
      `${ownUrl}/launches/{genesisAddress}`,
      launchPage,
    ),
    dataDir: resolve(read('DATA_DIR', 'a folder', './data', text => text)),
    databaseUrl: read<string | undefined>(
      'DATABASE_URL',
      'a PostgreSQL URL, such as postgres://user:password@host:5432/slipway',
      undefined,
      databaseUrl,
    ),
    rpcUrls: {
      'chain-mainnet': read('RPC_URL_MAINNET', RPC_URLS, [], rpcUrls),
      'chain-devnet': read('RPC_URL_DEVNET', RPC_URLS, [], rpcUrls),
    },
    localChain: {
      mode: read<LocalChainMode>('LOCAL_CHAIN', `one of ${LOCAL_CHAIN_MODES.join(', ')}`, 'auto', text =>
        LOCAL_CHAIN_MODES.find(mode => mode === text.toLowerCase()),
      ),
      activity: read('LOCAL_CHAIN_ACTIVITY', 'on or off', false, onOrOff),
      port: read(
        'LOCAL_CHAIN_PORT',
        `a port number from 1 to ${65_535 - LOCAL_CHAIN_SPAN}: the embedded chains take some above it`,
        8899,
        text => wholeNumber(text, 65_535 - LOCAL_CHAIN_SPAN) || undefined,
      ),
    },
    rpcWsUrls: {
      'chain-mainnet': read<string | undefined>('RPC_WS_URL_MAINNET', RPC_WS_URL, undefined, rpcWsUrl),
      'chain-devnet': read<string | undefined>('RPC_WS_URL_DEVNET', RPC_WS_URL, undefined, rpcWsUrl),
    },
    social: {
      apiUrl: read<string | undefined>('SOCIAL_API_URL', HTTP_BASE, undefined, publicUrl),
      tokenSecret: read<string | undefined>('SOCIAL_TOKEN_SECRET', SECRET, undefined, secret),
      tokenSecretPrevious: read<string | undefined>(
        'SOCIAL_TOKEN_SECRET_PREVIOUS',
        SECRET,
        undefined,
        secret,
      ),
    },
    metadata: {
      allowHosts: read(
        'METADATA_ALLOW_HOSTS',
        'host names or addresses with commas between them, each with a :port or without',
        [],
        hosts,
      ),
      ipfsGateway: read('IPFS_GATEWAY', HTTP_BASE, 'https://ipfs.io/ipfs/', gateway),
      arweaveGateway: read('ARWEAVE_GATEWAY', HTTP_BASE, 'https://arweave.net/', gateway),
    },
    indexer: read('INDEXER', 'on or off', true, onOrOff),
    rateLimits: {
      reads: read('RATE_LIMIT_READS', 'requests a minute and client, 0 for no limit', 600, perMinute),
      writes: read('RATE_LIMIT_WRITES', 'requests a minute and client, 0 for no limit', 60, perMinute),
    },
    trustedProxies: read(
      'TRUST_PROXY',
      'off, or a comma-separated list of addresses, CIDR ranges, loopback, linklocal or uniquelocal',
      [],
      proxies,
    ),
    logLevel: read<LogLevel>('LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`, 'info', text =>
      LOG_LEVELS.find(level => level === text.toLowerCase()),
    ),
  }
}

/**
 * Whether the chains are embedded. A service that would have no chain at all does not start: a forgotten variable
 * beside a production database must never be made up for by a chain that is not real.
 */
export function embedsChains({ databaseUrl, rpcUrls, localChain: { mode } }: Config): boolean {
  if (mode === 'on') return true
  if (Object.values(rpcUrls).some(urls => urls.length > 0)) return false
  if (mode === 'auto' && databaseUrl === undefined) return true
  const reason = mode === 'off' ? 'LOCAL_CHAIN is off' : 'DATABASE_URL is set'
  throw new OperatorError(
    `${reason} and there is no chain: set RPC_URL_MAINNET or RPC_URL_DEVNET, or LOCAL_CHAIN=on for embedded chains that are not real`,
  )
}

function wholeNumber(text: string, max: number): number | undefined {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return value <= max ? value : undefined
}

const perMinute = (text: string) => wholeNumber(text, 1_000_000_000)

const onOrOff = (text: string) => ({ on: true, off: false })[text.toLowerCase()]

const RPC_URLS = 'http or https URLs with commas between them, such as https://rpc.example.com'

function rpcUrls(text: string): string[] | undefined {
  const urls = text.split(',').map(url => url.trim())
  return urls.every(url => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) ? urls : undefined
}

const RPC_WS_URL = 'a ws or wss URL, such as wss://rpc.example.com'

function rpcWsUrl(text: string): string | undefined {
  return URL.canParse(text) && /^wss?:$/.test(new URL(text).protocol) ? text : undefined
}

const HTTP_BASE = 'an http or https URL without query or fragment, such as https://example.com'

function gateway(text: string): string | undefined {
  const url = publicUrl(text)
  return url && `${url}/`
}

const SECRET = '32 bytes or more'

const secret = (text: string) => (Buffer.byteLength(text) >= 32 ? text : undefined)

function hosts(text: string): string[] | undefined {
  const names = text.split(',').map(name => name.trim().toLowerCase())
  return names.every(name => /^(\[[\da-f:.]+\]|[a-z\d_.-]+)(:\d{1,5})?$/.test(name)) ? names : undefined
}

const hostName = (text: string) => (/^[\w.:-]+$/.test(text) ? text : undefined)

function publicUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  if (url.search || url.hash || url.username || url.password) return undefined
  return url.href.replace(/\/+$/, '')
}

function launchPage(text: string): string | undefined {
  const sample = text.replaceAll('{genesisAddress}', 'a'.repeat(32)).replaceAll('{network}', 'chain-devnet')
  const url = /^\S+$/.test(text) && URL.canParse(sample) ? new URL(sample) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  return text.includes('{genesisAddress}') && !/[{}]/.test(sample) ? text : undefined
}

function databaseUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^postgres(ql)?:$/.test(url.protocol) ? text : undefined
}

function proxies(text: string): string[] | undefined {
  if (text.toLowerCase() === 'off') return []
  const names = text.split(',').map(name => name.trim())
  try {
    proxyAddr.compile(names)
    return names
  } catch {
    return undefined
  }
}
