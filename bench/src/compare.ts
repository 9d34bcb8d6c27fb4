import type { Child } from './child.ts'
import type { LoadResult } from './load.ts'
import { median, printTable } from './report.ts'

export const STARTS = Number(process.env.BENCH_STARTS ?? 3)
const PAIRS = Number(process.env.BENCH_PAIRS ?? 6)
/** Of each server before each scenario, at the least. */
const WARM_UP_SECONDS = 6
const SETTLE_SECONDS = 0.3

/** The control is a second raw server: how far it is from 1 is the noise. */
export type Kind = 'raw' | 'control' | 'slipway'
const KINDS: Kind[] = ['raw', 'slipway', 'control']

export interface Scenario {
  name: string
  path: string
  /** Each ended by a line end; `ETAG` stands for the one that the server gives. */
  headers: string
  connections: number
  seconds: number
}

export interface Server {
  child: Child
  port: number
}

interface Sample {
  perSecond: number
  cpuMicros: number
}

export type Samples = Map<string, Sample[]>

/**
 * Requests a second of servers that run side by side and are loaded in turns of a moment, in both orders; what counts
 * is the median of each turn's ratio, because machines are noisy. Called once for every process start.
 */
export async function compareServers(
  load: Child,
  servers: Record<Kind, Server>,
  scenarios: readonly Scenario[],
  samples: Samples,
): Promise<void> {
  for (const scenario of scenarios) {
    // What is compared is code that is warm: the larger program takes longer to get there.
    for (const server of Object.values(servers))
      for (let seconds = 0; seconds < WARM_UP_SECONDS; seconds += SETTLE_SECONDS + scenario.seconds)
        await measure(load, server, scenario)
    for (let pair = 0; pair < PAIRS; pair += 1) {
      for (const kind of pair % 2 === 0 ? KINDS : KINDS.toReversed()) {
        const sample = await measure(load, servers[kind], scenario)
        const key = `${scenario.name} ${kind}`
        samples.set(key, [...(samples.get(key) ?? []), sample])
      }
    }
  }
}

export function reportComparison(title: string, scenarios: readonly Scenario[], samples: Samples): void {
  const of = (scenario: string, kind: Kind) => samples.get(`${scenario} ${kind}`) ?? []
  const ratio = (scenario: string, kind: Kind) =>
    median(
      of(scenario, kind).map(
        ({ perSecond }, at) => perSecond / (of(scenario, 'raw')[at]?.perSecond ?? Number.NaN),
      ),
    )
  const rate = (scenario: string, kind: Kind) => median(of(scenario, kind).map(({ perSecond }) => perSecond))
  const cpu = (scenario: string, kind: Kind) => median(of(scenario, kind).map(({ cpuMicros }) => cpuMicros))
  printTable(
    title,
    [
      '',
      'raw a second',
      'Slipway a second',
      'Slipway / raw',
      'control / raw',
      'CPU µs raw',
      'CPU µs Slipway',
    ],
    scenarios.map(({ name }) => [
      name,
      rate(name, 'raw').toFixed(0),
      rate(name, 'slipway').toFixed(0),
      ratio(name, 'slipway').toFixed(2),
      ratio(name, 'control').toFixed(2),
      cpu(name, 'raw').toFixed(0),
      cpu(name, 'slipway').toFixed(0),
    ]),
  )
}

async function measure(load: Child, { child, port }: Server, scenario: Scenario): Promise<Sample> {
  const { path, headers, connections, seconds } = scenario
  const etag = headers.includes('ETAG') ? await fetchETag(port, path) : ''
  const before = await child.call<{ cpuMicros: number }>('usage', null)
  const result = await load.call<LoadResult>('generateLoad', {
    port,
    request: `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${headers.replace('ETAG', etag)}\r\n`,
    connections,
    seconds,
    warmUpSeconds: SETTLE_SECONDS,
  })
  const after = await child.call<{ cpuMicros: number }>('usage', null)
  return { perSecond: result.perSecond, cpuMicros: (after.cpuMicros - before.cpuMicros) / result.responses }
}

async function fetchETag(port: number, path: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'HEAD',
    headers: { 'accept-encoding': 'gzip' },
  })
  return response.headers.get('etag') ?? ''
}
