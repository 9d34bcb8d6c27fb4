import { listEndpoints } from '@slipway/service/app/list-endpoints'
import { parseConfig } from '@slipway/service/config'
import { createServer } from '@slipway/service/http/server'
import { createLaunchSnapshots } from '@slipway/service/launches/launch-snapshots'
import { createSocial } from '@slipway/service/social/social'
import {
  type Child,
  type ChildServer,
  type LoadSample,
  measureLoad,
  median,
  printTable,
  startChild,
  TURNS,
  type Usage,
} from './lib.ts'
import { createServerParts, SAMPLE_AGENT, SOCIAL_SETTINGS, sampleAgents, sampleLaunch } from './samples.ts'

/** Compares listings with raw `node:http` that sends the same bytes from a Buffer. */
export async function benchListings(sizes: string[]): Promise<void> {
  for (const launches of sizes.length > 0 ? sizes.map(Number) : [100, 10_000, 100_000]) {
    const comparison = await compareWithRaw(launches, scenariosOf(launches))
    const peak = Math.round(comparison.peakMegabytes)
    reportComparison(
      `Listing of ${launches.toLocaleString('en')} launches; peak memory of the service ${peak} MB`,
      comparison,
    )
  }
}

function scenariosOf(launches: number): Scenario[] {
  const path = '/v1/launches'
  const heavy = {
    connections: launches > 1_000 ? 8 : 64,
    seconds: launches > 10_000 ? 1 : 0.3,
  }
  // Small responses are fast, so they warm up the code that the large ones need too.
  return [
    {
      name: '304',
      path,
      headers: 'Accept-Encoding: gzip\r\nIf-None-Match: ETAG\r\n',
      connections: 64,
      seconds: 0.3,
    },
    { name: '200 gzip', path, headers: 'Accept-Encoding: gzip\r\n', ...heavy },
    { name: '200', path, headers: '', ...heavy },
  ]
}

const DETAIL = `/v1/agents/${SAMPLE_AGENT}`
const CARD = `${DETAIL}/agent-card.json`

const AGENT_SCENARIOS: Scenario[] = [
  { name: 'card 200', path: CARD, headers: '' },
  { name: 'card 304', path: CARD, headers: 'If-None-Match: ETAG\r\n' },
  { name: 'detail 200', path: DETAIL, headers: '' },
].map(scenario => ({ ...scenario, connections: 64, seconds: 0.3 }))

/** Compares cards and details of an agent in memory with raw `node:http` that sends the same bytes. */
export async function benchAgents(): Promise<void> {
  reportComparison('An agent in memory', await compareWithRaw(1, AGENT_SCENARIOS))
}

const STARTS = 5
/** The least warm-up of each server before each scenario. */
const WARM_UP_SECONDS = 5
const SETTLE_SECONDS = 0.1
const [SERVER_CORE, LOAD_CORE] = [0, 1]

/**
 * Raw sends the same bytes, headers included. Control is a second raw server: the difference between the two is noise.
 */
type Kind = 'slipway' | 'raw' | 'control'
const KINDS: Kind[] = ['raw', 'slipway', 'control']

interface Scenario {
  name: string
  path: string
  /** Each ends with a line break; `ETAG` is replaced with the ETag of the server. */
  headers: string
  connections: number
  seconds: number
}

interface Comparison {
  scenarios: readonly Scenario[]
  samples: Map<string, LoadSample[]>
  /** The peak of the service over all starts. */
  peakMegabytes: number
}

/** Compares the service, with this many launches, to raw `node:http`. Each is restarted several times. */
async function compareWithRaw(launches: number, scenarios: readonly Scenario[]): Promise<Comparison> {
  const samples: Comparison['samples'] = new Map()
  const load = startChild(LOAD_CORE)
  let peakMegabytes = 0
  const paths = [...new Set(scenarios.map(({ path }) => path))]
  for (let start = 0; start < STARTS; start += 1) {
    const slipway = await serve('serveSlipway', launches)
    const copy = () => serve('serveCopy', { port: slipway.port, paths })
    const servers = { slipway, raw: await copy(), control: await copy() }
    await takeTurns(load, servers, scenarios, samples)
    const used = await slipway.child.call<Usage>('usage', null)
    peakMegabytes = Math.max(peakMegabytes, used.peakMegabytes)
    for (const { child } of Object.values(servers)) child.stop()
  }
  load.stop()
  return { scenarios, samples, peakMegabytes }
}

async function serve(task: string, input: unknown): Promise<ChildServer> {
  const child = startChild(SERVER_CORE)
  return { child, port: await child.call<number>(task, input) }
}

/**
 * Requests per second of servers that run side by side. They are loaded in short turns, in both orders, and the
 * result is the median of the ratios of all turns, because machines are noisy.
 */
async function takeTurns(
  load: Child,
  servers: Record<Kind, ChildServer>,
  scenarios: readonly Scenario[],
  samples: Comparison['samples'],
): Promise<void> {
  for (const scenario of scenarios) {
    // The comparison is of warm code, and the larger program takes longer to warm up.
    for (const server of Object.values(servers))
      for (let seconds = 0; seconds < WARM_UP_SECONDS; seconds += SETTLE_SECONDS + scenario.seconds)
        await measure(load, server, scenario)
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (const kind of turn % 2 === 0 ? KINDS : KINDS.toReversed()) {
        const sample = await measure(load, servers[kind], scenario)
        const key = `${scenario.name} ${kind}`
        samples.set(key, [...(samples.get(key) ?? []), sample])
      }
    }
  }
}

function reportComparison(title: string, { scenarios, samples }: Comparison): void {
  const of = (scenario: string, kind: Kind) => samples.get(`${scenario} ${kind}`) ?? []
  /** The median over all turns. Several references are averaged: two raw servers are steadier than one. */
  const ratio = (scenario: string, kind: Kind, ...references: Kind[]) =>
    median(
      of(scenario, kind).map(({ perSecond }, at) => {
        const rates = references.map(reference => of(scenario, reference)[at]?.perSecond ?? Number.NaN)
        return (perSecond * rates.length) / rates.reduce((sum, rate) => sum + rate, 0)
      }),
    )
  const rate = (scenario: string, kind: Kind) => median(of(scenario, kind).map(({ perSecond }) => perSecond))
  const cpu = (scenario: string, kind: Kind) => median(of(scenario, kind).map(({ cpuMicros }) => cpuMicros))
  printTable(
    title,
    [
      '',
      'raw per second',
      'Slipway per second',
      'Slipway / raw',
      'control / raw',
      'CPU µs raw',
      'CPU µs Slipway',
    ],
    scenarios.map(({ name }) => [
      name,
      rate(name, 'raw').toFixed(0),
      rate(name, 'slipway').toFixed(0),
      ratio(name, 'slipway', 'raw', 'control').toFixed(2),
      ratio(name, 'control', 'raw').toFixed(2),
      cpu(name, 'raw').toFixed(0),
      cpu(name, 'slipway').toFixed(0),
    ]),
  )
}

async function measure(load: Child, server: ChildServer, scenario: Scenario): Promise<LoadSample> {
  const { path, headers, connections, seconds } = scenario
  const etag = headers.includes('ETAG') ? await fetchETag(server.port, path) : ''
  return measureLoad(load, server, {
    request: `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers.replace('ETAG', etag)}\r\n`,
    connections,
    seconds,
    warmUpSeconds: SETTLE_SECONDS,
  })
}

async function fetchETag(port: number, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'HEAD',
    headers: { 'accept-encoding': 'gzip' },
  })
  return response.headers.get('etag') ?? ''
}

const LAUNCH_PAGE = 'https://slipway.example/launches/{genesisAddress}'

function fail(error: unknown): never {
  throw error
}

/** The whole HTTP server of the service as in production: limits, log, metrics and all headers. */
export async function serveSlipway(launches: number): Promise<number> {
  const samples = new Map(
    Array.from({ length: launches }, (_, index) => sampleLaunch(index)).map(launch => [
      launch.genesisAddress,
      launch,
    ]),
  )
  const snapshots = createLaunchSnapshots({
    source: {
      async *readVersions() {
        yield [...samples.values()]
      },
      read: async (network, addresses) =>
        network === 'chain-mainnet' ? addresses.flatMap(address => samples.get(address) ?? []) : [],
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
  await agents.get('chain-mainnet', SAMPLE_AGENT, 'bench')
  const social = createSocial(SOCIAL_SETTINGS, { onAnswer: () => {}, onNotAsked: () => {} })
  const app = createServer({
    ...createServerParts(),
    endpoints: listEndpoints({
      ...parseConfig({}),
      database: undefined as never,
      chains: {},
      snapshots,
      agents,
      agentList: undefined as never,
      launchList: undefined as never,
      events: undefined as never,
      rewards: {},
      markets: {},
      readPosition: undefined as never,
      social,
      register: async () => {
        throw new Error('the benchmark registers nothing')
      },
      hostDocument: async () => {
        throw new Error('the benchmark hosts nothing')
      },
      showChange: async () => {},
      launchPage: LAUNCH_PAGE,
    }),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as { port: number }).port
}
