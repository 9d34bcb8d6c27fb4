import { startChild } from './child.ts'
import { compareServers, reportComparison, type Samples, type Scenario, STARTS } from './compare.ts'

/** Listings against raw `node:http` sending the same bytes from a Buffer. */
export async function benchListings(sizes: string[]): Promise<void> {
  const load = startChild()
  for (const launches of sizes.length > 0 ? sizes.map(Number) : [100, 10_000, 100_000]) {
    const scenarios = scenariosOf(launches)
    const samples: Samples = new Map()
    let peakMegabytes = 0
    for (let start = 0; start < STARTS; start += 1) {
      const serve = async (task: string) => {
        const child = startChild()
        return { child, port: await child.call<number>(task, launches) }
      }
      const servers = {
        raw: await serve('serveRaw'),
        slipway: await serve('serveSlipway'),
        control: await serve('serveRaw'),
      }
      await compareServers(load, servers, scenarios, samples)
      const used = await servers.slipway.child.call<{ peakMegabytes: number }>('usage', null)
      peakMegabytes = Math.max(peakMegabytes, used.peakMegabytes)
      for (const { child } of Object.values(servers)) child.stop()
    }
    reportComparison(
      `Listing of ${launches.toLocaleString('en')} launches; peak memory of the service ${Math.round(peakMegabytes)} MB`,
      scenarios,
      samples,
    )
  }
  load.stop()
}

function scenariosOf(launches: number): Scenario[] {
  const path = '/v1/launches'
  const heavy = {
    connections: launches > 1_000 ? 8 : 64,
    seconds: launches > 10_000 ? 2.5 : 0.7,
  }
  return [
    { name: '200', path, headers: '', ...heavy },
    { name: '200 gzip', path, headers: 'Accept-Encoding: gzip\r\n', ...heavy },
    {
      name: '304',
      path,
      headers: 'Accept-Encoding: gzip\r\nIf-None-Match: ETAG\r\n',
      connections: 64,
      seconds: 0.7,
    },
  ]
}
