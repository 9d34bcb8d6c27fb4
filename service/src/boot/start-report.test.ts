import { expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { describeSite, type EmbeddedChains } from './describe-site.ts'
import { formatStartFields, formatStartScreen, reportStart, type StartReport } from './start-report.ts'

const REPORT: StartReport = {
  site: 'http://localhost:8080',
  api: 'http://localhost:8080/v1',
  reference: 'http://localhost:8080/docs',
  store: 'PostgreSQL at DATABASE_URL',
  launches: { 'chain-mainnet': 38, 'chain-devnet': 7 },
  metrics: undefined,
  chains: {
    rpc: { 'chain-mainnet': 'http://127.0.0.1:8899' },
    ws: { 'chain-mainnet': 'ws://127.0.0.1:8900' },
    social: 'http://127.0.0.1:9100',
    keys: './data/demo.json',
  },
  commands: [{ title: 'Try:', lines: ['curl http://localhost:8080/readyz'] }],
}

test('the start-up screen says what runs where, and what to try', () => {
  expect(formatStartScreen(REPORT)).toBe(`
  Slipway is running.

    Site       http://localhost:8080
    API        http://localhost:8080/v1
    Reference  http://localhost:8080/docs
    Store      PostgreSQL at DATABASE_URL
    Launches   38 on chain-mainnet, 7 on chain-devnet

  Embedded chains, on this machine only, with play money and throw-away keys:

    chain-mainnet   http://127.0.0.1:8899  ws://127.0.0.1:8900
    Social network  http://127.0.0.1:9100 (stand-in)
    Demo keys       ./data/demo.json

  Try:

    curl http://localhost:8080/readyz

  Press Ctrl-C to stop. Everything is kept for the next start.

`)
})

test('the commands find the service at any port and public URL', () => {
  const snapshots = {
    of: () => ({ addresses: () => ['launch'], launch: () => ({ spotlight: false }), size: 1 }),
  } as never
  const chains = {
    networks: [{ network: 'chain-mainnet', rpcUrl: 'http://127.0.0.1:8899', wsUrl: '' }],
    agent: { address: 'agent', owner: 'owner' },
  } as never
  const commandsOf = (env: Record<string, string>) =>
    reportStart({ config: parseConfig({ DATA_DIR: 'data', ...env }), place: '', snapshots, chains })
      .commands.flatMap(({ lines }) => lines)
      .filter(line => /npx|examples/.test(line))
      .map(line => line.split(/ (?=npx|node)/)[0])
  expect(new Set(commandsOf({}))).toEqual(
    new Set(['npx slipway spotlight add launch', ...EXAMPLES.map(name => `node examples/${name}`)]),
  )
  expect(new Set(commandsOf({ PORT: '9090' }))).toEqual(
    new Set(['PORT=9090', 'SLIPWAY_URL=http://localhost:9090']),
  )
  const url = 'http://slipway.local:9090'
  expect(new Set(commandsOf({ PORT: '9090', PUBLIC_URL: url }))).toEqual(
    new Set([`PUBLIC_URL=${url}`, `SLIPWAY_URL=${url}`]),
  )
  // The examples read `demo.json`, which is in DATA_DIR even if the store is not.
  const elsewhere = {
    DATABASE_URL: 'postgres://db.example/slipway',
    LOCAL_CHAIN: 'on',
    DATA_DIR: '/srv/demo',
  }
  expect(new Set(commandsOf(elsewhere))).toEqual(
    new Set(['DATABASE_URL=…', ...EXAMPLES.map(() => 'DATA_DIR=/srv/demo')]),
  )
})
const EXAMPLES = ['withdraw.js 0.01', 'buy.js', 'claim.js 5', 'register.js']

test('the log line of a deployment proposes no commands', () => {
  expect(formatStartFields(REPORT)).toMatchObject({ commands: ['curl http://localhost:8080/readyz'] })
  const fields = formatStartFields({ ...REPORT, site: undefined, chains: undefined })
  expect(Object.keys(JSON.parse(JSON.stringify(fields)))).toEqual(['api', 'reference', 'store', 'launches'])
})

test('pages get the demo wallet only if they, too, use the embedded chains, on loopback, without a proxy', () => {
  const embeddedAt = (network: 'chain-mainnet' | 'chain-devnet', port: number) => ({
    network,
    rpcUrl: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port + 1}`,
    genesisHash: '',
    keys: [],
  })
  const mainnet = embeddedAt('chain-mainnet', 8899)
  const devnet = embeddedAt('chain-devnet', 8999)
  const hasDemoWallet = (env: Record<string, string>, networks = [mainnet, devnet]) => {
    const chains = { documentsHost: '127.0.0.1:8909', networks } as EmbeddedChains
    const config = parseConfig({ RPC_URL_MAINNET: mainnet.rpcUrl, RPC_URL_DEVNET: devnet.rpcUrl, ...env })
    return describeSite(config, chains).settings.hasDemoWallet
  }
  expect(hasDemoWallet({})).toBe(true)
  expect(hasDemoWallet({ PUBLIC_RPC_URL_MAINNET: 'http://127.0.0.1:8899' })).toBe(true)
  expect(hasDemoWallet({ PUBLIC_RPC_URL_MAINNET: 'https://rpc.example' })).toBe(false)
  expect(hasDemoWallet({ PUBLIC_RPC_URL_DEVNET: 'https://rpc.example' })).toBe(false)
  expect(hasDemoWallet({ RPC_URL_DEVNET: 'https://rpc.example' })).toBe(false)
  expect(hasDemoWallet({ RPC_URL_DEVNET: '' }, [mainnet])).toBe(true)
  expect(hasDemoWallet({}, [mainnet])).toBe(false)
  expect(hasDemoWallet({ HOST: '0.0.0.0' })).toBe(false)
  for (const url of ['http://127.0.0.1:8080', 'http://[::1]:8080/base', 'http://localhost'])
    expect(hasDemoWallet({ PUBLIC_URL: url })).toBe(true)
  for (const url of ['https://slipway.example', 'https://localhost.example', 'http://192.168.1.7:8080'])
    expect(hasDemoWallet({ PUBLIC_URL: url })).toBe(false)
  expect(hasDemoWallet({ TRUST_PROXY: '127.0.0.1' })).toBe(false)
})
