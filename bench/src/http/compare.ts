import { type Child, startChild, TURNS, type Usage } from '../lib/child.ts'
import { type ChildServer, type LoadSample, measureLoad } from '../lib/load.ts'
import { median, printTable } from '../lib/report.ts'
import type { CopyOptions } from './serve-copy.ts'

const STARTS = Number(process.env.BENCH_STARTS ?? 5)
/** The least warm-up of each server before each scenario. */
const WARM_UP_SECONDS = 5
const SETTLE_SECONDS = 0.1
const [SERVER_CORE, LOAD_CORE] = [0, 1]

/**
 * Raw sends the same bytes, headers included. Control is a second raw server: the difference between the two is noise.
 * Bare sends the body with only the headers that it needs.
 */
type Kind = 'slipway' | 'raw' | 'control' | 'bare'
const KINDS: Kind[] = ['raw', 'slipway', 'bare', 'control']

export interface Scenario {
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
export async function compareWithRaw(launches: number, scenarios: readonly Scenario[]): Promise<Comparison> {
  const samples: Comparison['samples'] = new Map()
  const load = startChild(LOAD_CORE)
  let peakMegabytes = 0
  const paths = [...new Set(scenarios.map(({ path }) => path))]
  for (let start = 0; start < STARTS; start += 1) {
    const slipway = await serve('serveSlipway', launches)
    const copy = (headers: CopyOptions['headers']) =>
      serve('serveCopy', { port: slipway.port, paths, headers })
    const servers = {
      slipway,
      raw: await copy('same'),
      bare: await copy('bare'),
      control: await copy('same'),
    }
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

export function reportComparison(title: string, { scenarios, samples }: Comparison): void {
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
      'Slipway / bare',
      'CPU µs raw',
      'CPU µs bare',
      'CPU µs Slipway',
    ],
    scenarios.map(({ name }) => [
      name,
      rate(name, 'raw').toFixed(0),
      rate(name, 'slipway').toFixed(0),
      ratio(name, 'slipway', 'raw', 'control').toFixed(2),
      ratio(name, 'control', 'raw').toFixed(2),
      ratio(name, 'slipway', 'bare').toFixed(2),
      cpu(name, 'raw').toFixed(0),
      cpu(name, 'bare').toFixed(0),
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
