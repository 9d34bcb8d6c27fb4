import { type Child, startChild } from './child.ts'
import type { LoadResult } from './load.ts'
import { median, printTable } from './report.ts'

const STARTS = Number(process.env.BENCH_STARTS ?? 3)
const PAIRS = Number(process.env.BENCH_PAIRS ?? 6)

const WARM_UP_TURNS = 3

type Kind = 'raw' | 'control' | 'slipway'
const TASKS: Record<Kind, string> = { raw: 'serveRaw', control: 'serveRaw', slipway: 'serveSlipway' }
const KINDS: Kind[] = ['raw', 'slipway', 'control']

const scenarios = [
  { name: '200', headers: '' },
  { name: '200 gzip', headers: 'Accept-Encoding: gzip\r\n' },
  { name: '304', headers: 'Accept-Encoding: gzip\r\nIf-None-Match: ETAG\r\n' },
]

interface Sample {
  perSecond: number
  cpuMicros: number
}

/**
 * Requests a second against raw `node:http` sending the same bytes. Machines are noisy, so all servers run
 * side by side, are loaded in turns of a moment, in both orders, over several process starts; what counts is
 * the median of each turn's ratio. The control is a second raw server: how far it is from 1 is the noise.
 */
export async function benchListings(sizes: string[]): Promise<void> {
  const load = startChild()
  for (const launches of sizes.length > 0 ? sizes.map(Number) : [100, 10_000, 100_000]) {
    const samples = new Map<string, Sample[]>()
    let peakMegabytes = 0
    for (let start = 0; start < STARTS; start += 1) {
      const servers = new Map<Kind, { child: Child; port: number }>()
      for (const kind of KINDS) {
        const child = startChild()
        servers.set(kind, { child, port: await child.call<number>(TASKS[kind], launches) })
      }
      for (const { name, headers } of scenarios) {
        // What is compared is code that is warm: the larger program takes longer to get there.
        for (const { child, port } of servers.values())
          for (let turn = 0; turn < WARM_UP_TURNS; turn += 1)
            await measure(load, child, port, headers, launches)
        for (let pair = 0; pair < PAIRS; pair += 1) {
          for (const kind of pair % 2 === 0 ? KINDS : KINDS.toReversed()) {
            const { child, port } = servers.get(kind) as { child: Child; port: number }
            const sample = await measure(load, child, port, headers, launches)
            const key = `${name} ${kind}`
            samples.set(key, [...(samples.get(key) ?? []), sample])
          }
        }
      }
      const used = await servers.get('slipway')?.child.call<{ peakMegabytes: number }>('usage', null)
      peakMegabytes = Math.max(peakMegabytes, used?.peakMegabytes ?? 0)
      for (const { child } of servers.values()) child.stop()
    }
    report(launches, samples, peakMegabytes)
  }
  load.stop()
}

function report(launches: number, samples: Map<string, Sample[]>, peakMegabytes: number): void {
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
    `Listing of ${launches.toLocaleString('en')} launches; peak memory of the service ${Math.round(peakMegabytes)} MB`,
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

async function measure(
  load: Child,
  server: Child,
  port: number,
  headers: string,
  launches: number,
): Promise<Sample> {
  const etag = headers.includes('ETAG') ? await fetchETag(port) : ''
  const isHeavy = launches > 1_000 && !etag
  const before = await server.call<{ cpuMicros: number }>('usage', null)
  const result = await load.call<LoadResult>('generateLoad', {
    port,
    request: `GET /v1/launches HTTP/1.1\r\nHost: localhost\r\n${headers.replace('ETAG', etag)}\r\n`,
    connections: isHeavy ? 8 : 64,
    seconds: launches > 10_000 && isHeavy ? 2.5 : 0.7,
    warmUpSeconds: 0.3,
  })
  const after = await server.call<{ cpuMicros: number }>('usage', null)
  return { perSecond: result.perSecond, cpuMicros: (after.cpuMicros - before.cpuMicros) / result.responses }
}

async function fetchETag(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/launches`, {
    method: 'HEAD',
    headers: { 'accept-encoding': 'gzip' },
  })
  return response.headers.get('etag') ?? ''
}
