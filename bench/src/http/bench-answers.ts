import { SAMPLE_AGENT } from '../lib/sample-agent.ts'
import { compareWithRaw, reportComparison, type Scenario } from './compare.ts'

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
