import { type Child, runInChild } from './child.ts'
import type { LoadResult } from './load.ts'
import { median, printTable } from './report.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SECONDS = 2

const SERVERS = ['serveRaw', 'serveRaw again', 'serveSlipway'] as const
type Server = (typeof SERVERS)[number]

const scenarios = [
  { name: 'identity', headers: '' },
  { name: 'gzip', headers: 'Accept-Encoding: gzip\r\n' },
  { name: '304', headers: 'Accept-Encoding: gzip\r\nIf-None-Match: ETAG\r\n' },
]

/** Requests a second against raw `node:http`, each server in fresh processes and in both orders. */
export async function benchListings(): Promise<void> {
  for (const launches of [100, 10_000, 100_000]) {
    const rates = new Map<string, number[]>()
    let peak = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const order = round % 2 === 0 ? SERVERS : SERVERS.toReversed()
      for (const server of order) {
        const child = runInChild({ name: server.split(' ')[0] as string, input: launches })
        const port = (await child.result) as number
        for (const scenario of scenarios) {
          const { perSecond } = await measure(port, scenario.headers, launches)
          const key = `${scenario.name} ${server}`
          rates.set(key, [...(rates.get(key) ?? []), perSecond])
        }
        if (server === 'serveSlipway') peak = Math.max(peak, await child.peakMegabytes())
        child.stop()
      }
    }
    const rate = (scenario: string, server: Server) => median(rates.get(`${scenario} ${server}`) ?? [])
    printTable(
      `Listing of ${launches.toLocaleString('en')} launches (peak memory ${Math.round(peak)} MB)`,
      ['', 'raw a second', 'Slipway a second', 'Slipway / raw', 'raw / raw (control)'],
      scenarios.map(({ name }) => [
        name,
        rate(name, 'serveRaw').toFixed(1),
        rate(name, 'serveSlipway').toFixed(1),
        (rate(name, 'serveSlipway') / rate(name, 'serveRaw')).toFixed(2),
        (rate(name, 'serveRaw again') / rate(name, 'serveRaw')).toFixed(2),
      ]),
    )
  }
}

async function measure(port: number, headers: string, launches: number): Promise<LoadResult> {
  const etag = headers.includes('ETAG') ? await fetchETag(port) : ''
  const load: Child = runInChild({
    name: 'generateLoad',
    input: {
      port,
      request: `GET /v1/launches HTTP/1.1\r\nHost: localhost\r\n${headers.replace('ETAG', etag)}\r\n`,
      connections: launches > 1_000 && !etag ? 8 : 64,
      seconds: launches > 10_000 && !etag ? 2 * SECONDS : SECONDS,
      warmUpSeconds: 1,
    },
  })
  try {
    return (await load.result) as LoadResult
  } finally {
    load.stop()
  }
}

async function fetchETag(port: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/launches`, {
    headers: { 'accept-encoding': 'gzip' },
  })
  await response.arrayBuffer()
  return response.headers.get('etag') ?? ''
}
