import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { NETWORKS } from '@slipway/schema/network'
import { describe, expect, test } from 'vitest'
import { ENVIRONMENT_VARIABLES, embedsChains, parseConfig } from './config.ts'
import { createSigningKeyText } from './lib/signing-key.ts'
import { OperatorError } from './operator-error.ts'

const onEveryNetwork = (value: unknown) => Object.fromEntries(NETWORKS.map(network => [network, value]))

test('every variable has a default', () => {
  expect(parseConfig({})).toEqual({
    port: 8080,
    host: '127.0.0.1',
    publicUrl: 'http://localhost:8080',
    publicUrlsPrevious: [],
    hostsDocuments: onEveryNetwork(false),
    freshKeys: true,
    launchPage: 'http://localhost:8080/launches/{genesisAddress}',
    dataDir: resolve('data'),
    databaseUrl: undefined,
    deploymentVariables: [],
    rpcUrls: onEveryNetwork([]),
    rpcWsUrls: onEveryNetwork(undefined),
    localChain: { mode: 'auto', activity: false, port: 8899 },
    social: { apiUrl: undefined, tokenSecret: undefined, tokenSecretPrevious: undefined },
    cardSigning: { key: undefined, previous: [] },
    metadata: {
      allowHosts: [],
      ipfsGateway: 'https://ipfs.io/ipfs/',
      arweaveGateway: 'https://arweave.net/',
    },
    indexer: true,
    tradesPerSecond: 10,
    site: true,
    publicRpcUrls: onEveryNetwork(undefined),
    rateLimits: { reads: 600, writes: 60, chainReads: 240, checks: 1_200 },
    connectionsPerClient: 256,
    eventStreamsMax: 10_000,
    documentBudgets: { ownerBytesMax: 64 * 1_024 ** 2, devnetBytesMax: 1_024 ** 3 },
    tradesDays: 0,
    trustedProxies: [],
    logLevel: 'info',
    metrics: { port: undefined, host: '127.0.0.1' },
    workers: 1,
    shutdownDelaySeconds: 0,
  })
})

test('an empty variable counts as absent', () => {
  expect(parseConfig({ PORT: '', DATABASE_URL: ' ' })).toEqual(parseConfig({}))
})

test('the public URL defaults to the port, and loses its trailing slash', () => {
  expect(parseConfig({ PORT: '9000' }).publicUrl).toBe('http://localhost:9000')
  expect(parseConfig({ PUBLIC_URL: 'https://api.example/base/' }).publicUrl).toBe('https://api.example/base')
})

test('launch pages are below the public URL unless LAUNCH_PAGE_URL is set', () => {
  expect(parseConfig({ PUBLIC_URL: 'https://api.example/base/' }).launchPage).toBe(
    'https://api.example/base/launches/{genesisAddress}',
  )
  for (const pattern of [
    'https://site.example/launch/{genesisAddress}',
    'https://{network}.site.example/?launch={genesisAddress}#top',
  ])
    expect(parseConfig({ LAUNCH_PAGE_URL: pattern }).launchPage).toBe(pattern)
})

const REFUSED: Record<string, string[]> = {
  PORT: ['http', '0', '65536', '80.5', '-1'],
  HOST: ['a b'],
  PUBLIC_URL: ['slipway.example', 'ftp://slipway.example', 'https://slipway.example/?a=1'],
  LAUNCH_PAGE_URL: [
    'https://site.example/launch',
    'site.example/{genesisAddress}',
    'javascript:{genesisAddress}',
    'https://site.example/{genesisAddress}/{other}',
    'https://user:hunter2@site.example/{genesisAddress}',
    'https://site.example/a b/{genesisAddress}',
  ],
  DATABASE_URL: ['mysql://user:hunter2@host/db', 'hunter2'],
  RPC_URL_MAINNET: ['rpc.example', 'https://rpc.example/?key=hunter2,'],
  RPC_URL_DEVNET: ['https://rpc.example/?key=hunter2, ws://rpc.example'],
  RPC_WS_URL_MAINNET: ['https://rpc.example/?key=hunter2'],
  RPC_WS_URL_DEVNET: ['hunter2'],
  SOCIAL_API_URL: ['social.example'],
  SOCIAL_TOKEN_SECRET: ['hunter2'],
  SOCIAL_TOKEN_SECRET_PREVIOUS: ['hunter2'],
  CARD_SIGNING_KEY: ['hunter2', '{"kty":"oct","k":"hunter2"}'],
  CARD_SIGNING_KEYS_PREVIOUS: ['[{"kty":"oct","k":"hunter2"}]', 'null'],
  METADATA_ALLOW_HOSTS: ['http://host', 'host,,other'],
  IPFS_GATEWAY: ['ipfs.example'],
  ARWEAVE_GATEWAY: ['ftp://ar.example'],
  INDEXER: ['maybe'],
  TRADES: ['some'],
  TRADES_RPC_PER_SECOND: ['0'],
  LOCAL_CHAIN: ['yes'],
  LOCAL_CHAIN_ACTIVITY: ['auto'],
  LOCAL_CHAIN_PORT: ['0', '65500'],
  RATE_LIMIT_READS: ['many'],
  RATE_LIMIT_WRITES: ['-5'],
  EVENT_STREAMS_MAX: ['-1'],
  TRUST_PROXY: ['everyone', '10.0.0.0/99'],
  LOG_LEVEL: ['loud'],
  METRICS_PORT: ['0'],
  METRICS_HOST: ['a b'],
  WORKERS: ['0', '65', 'all'],
  SHUTDOWN_DELAY: ['-1', '3601'],
}

test.each(Object.entries(REFUSED).flatMap(([name, values]) => values.map(value => [name, value] as const)))(
  '%s=%s is refused with one line that names the variable and what it must be, but not its value',
  (name, value) => {
    const read = () => parseConfig({ [name]: value })
    expect(read).toThrow(OperatorError)
    expect(read).toThrow(new RegExp(`^${name} must be .+$`))
    expect(read).not.toThrow(/\n|hunter2/)
  },
)

test('TRADES=off leaves no requests for trades', () => {
  expect(parseConfig({ TRADES_RPC_PER_SECOND: '25' }).tradesPerSecond).toBe(25)
  expect(parseConfig({ TRADES: 'off', TRADES_RPC_PER_SECOND: '25' }).tradesPerSecond).toBe(0)
})

test('two different keys with the same kid are refused, and the same key twice is not', () => {
  const [key, other] = [createSigningKeyText(), createSigningKeyText()].map(text => ({
    ...JSON.parse(text),
    kid: 'shared',
  }))
  const read = (current: object | undefined, previous: object[]) =>
    parseConfig({
      CARD_SIGNING_KEY: current && JSON.stringify(current),
      CARD_SIGNING_KEYS_PREVIOUS: JSON.stringify(previous),
    }).cardSigning.previous
  expect(() => read(key, [other])).toThrow(/^CARD_SIGNING_KEYS_PREVIOUS has a kid .+ two different keys/)
  expect(() => read(undefined, [key, other])).toThrow(OperatorError)
  expect(read(key, [key, { ...other, kid: 'another' }])).toHaveLength(2)
})

test('METRICS_HOST without METRICS_PORT is refused, because no listener would use it', () => {
  expect(() => parseConfig({ METRICS_HOST: '0.0.0.0' })).toThrow(/^METRICS_HOST needs METRICS_PORT\./)
  expect(parseConfig({ METRICS_HOST: '0.0.0.0', METRICS_PORT: '9090' }).metrics).toEqual({
    port: 9090,
    host: '0.0.0.0',
  })
  expect(parseConfig({ METRICS_PORT: '9090' }).metrics.host).toBe('127.0.0.1')
})

test('TRUST_PROXY takes addresses, ranges and the names of ranges', () => {
  expect(parseConfig({ TRUST_PROXY: 'loopback, 10.0.0.0/8' }).trustedProxies).toEqual([
    'loopback',
    '10.0.0.0/8',
  ])
  expect(parseConfig({ TRUST_PROXY: 'off' }).trustedProxies).toEqual([])
})

test('a network may have several RPC URLs, which keep their order', () => {
  const { rpcUrls } = parseConfig({ RPC_URL_MAINNET: 'https://a.example/?key=1, http://b.example:8899' })
  expect(rpcUrls).toEqual({
    ...onEveryNetwork([]),
    'chain-mainnet': ['https://a.example/?key=1', 'http://b.example:8899'],
  })
})

test('words and hosts are read in any case; gateways get a trailing slash', () => {
  expect(
    parseConfig({ LOCAL_CHAIN: 'ON', INDEXER: 'Off', LOG_LEVEL: 'Debug', TRUST_PROXY: 'OFF' }),
  ).toMatchObject({
    localChain: { mode: 'on' },
    indexer: false,
    logLevel: 'debug',
    trustedProxies: [],
  })
  const { metadata } = parseConfig({
    METADATA_ALLOW_HOSTS: 'Cards.Example, [::1]:8080',
    IPFS_GATEWAY: 'https://ipfs.example/ipfs',
  })
  expect(metadata).toMatchObject({
    allowHosts: ['cards.example', '[::1]:8080'],
    ipfsGateway: 'https://ipfs.example/ipfs/',
  })
})

test('a PUBLIC_URL of more than 110 bytes stops start-up, because documents under it would not fit on the chain', () => {
  const url = (bytes: number) => `https://a.example/${'x'.repeat(bytes - 18)}`
  expect(parseConfig({ PUBLIC_URL: `${url(110)}/` }).publicUrl).toHaveLength(110)
  expect(() => parseConfig({ PUBLIC_URL: url(111) })).toThrow(/^PUBLIC_URL must be .* at most 110 bytes$/)
})

test('documents are hosted only under a PUBLIC_URL that was set, and former ones are a list', () => {
  const env = {
    PUBLIC_URL: 'http://localhost:8080',
    PUBLIC_URL_PREVIOUS: 'https://old.example/, http://older.example/base',
    FRESH_KEYS: 'off',
  }
  expect(parseConfig(env)).toMatchObject({
    hostsDocuments: onEveryNetwork(true),
    publicUrlsPrevious: ['https://old.example', 'http://older.example/base'],
    freshKeys: false,
  })
  expect(() => parseConfig({ PUBLIC_URL_PREVIOUS: 'old.example' })).toThrow(/^PUBLIC_URL_PREVIOUS must be /)
})

test('docs/configuration.md has a row for each variable, and no other', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
  const names = page
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap(line => line.split('|')[1]?.match(/[A-Z][A-Z_]+/g) ?? [])
  expect(names.toSorted()).toEqual(ENVIRONMENT_VARIABLES.toSorted())
})

describe('whether the chains are embedded', () => {
  const rpc = { RPC_URL_DEVNET: 'https://rpc.example/?key=hunter2' }
  const database = { DATABASE_URL: 'postgres://user:hunter2@host/db' }

  test.each([
    [{}, true],
    [{ LOCAL_CHAIN: 'on' }, true],
    [{ LOCAL_CHAIN: 'on', ...database }, true],
    [{ LOCAL_CHAIN: 'on', ...rpc }, true],
    [{ LOCAL_CHAIN: 'on', ...rpc, ...database }, true],
    [rpc, false],
    [{ ...rpc, ...database }, false],
    [{ LOCAL_CHAIN: 'off', ...rpc }, false],
    [{ LOCAL_CHAIN: 'off', ...rpc, ...database }, false],
  ])('%j: %s', (env, embedded) => {
    expect(embedsChains(parseConfig(env))).toBe(embedded)
  })

  test.each([
    [database, 'DATABASE_URL'],
    [{ LOCAL_CHAIN: 'auto', ...database }, 'DATABASE_URL'],
    [{ LOCAL_CHAIN: 'off' }, 'LOCAL_CHAIN'],
    [{ LOCAL_CHAIN: 'off', ...database }, 'LOCAL_CHAIN'],
  ])('%j: without any chain, one line says what to set', (env, cause) => {
    const decide = () => embedsChains(parseConfig(env))
    expect(decide).toThrow(OperatorError)
    expect(decide).toThrow(
      new RegExp(`^${cause} is .+ Set RPC_URL_MAINNET or RPC_URL_DEVNET, or LOCAL_CHAIN=on.*$`),
    )
    expect(decide).not.toThrow(/\n|hunter2/)
  })
})
