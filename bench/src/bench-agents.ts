import { startChild } from './child.ts'
import { compareServers, reportComparison, type Samples, type Scenario, STARTS } from './compare.ts'
import { SAMPLE_AGENT } from './sample-agent.ts'
import type { RawAnswer } from './serve-raw-bytes.ts'

const DETAIL = `/v1/agents/${SAMPLE_AGENT}`
const CARD = `${DETAIL}/agent-card.json`

const scenarios: Scenario[] = [
  { name: 'card 200', path: CARD, headers: '' },
  { name: 'card 304', path: CARD, headers: 'If-None-Match: ETAG\r\n' },
  { name: 'detail 200', path: DETAIL, headers: '' },
].map(scenario => ({ ...scenario, connections: 64, seconds: 0.7 }))

/** Cards and details of an agent that is in memory, against raw `node:http` sending the same bytes. */
export async function benchAgents(): Promise<void> {
  const load = startChild()
  const samples: Samples = new Map()
  for (let start = 0; start < STARTS; start += 1) {
    const serve = async (task: string, input: unknown) => {
      const child = startChild()
      return { child, port: await child.call<number>(task, input) }
    }
    const slipway = await serve('serveSlipway', 1)
    const answers = await Promise.all([DETAIL, CARD].map(path => copyAnswer(slipway.port, path)))
    const servers = {
      raw: await serve('serveRawBytes', answers),
      slipway,
      control: await serve('serveRawBytes', answers),
    }
    await compareServers(load, servers, scenarios, samples)
    for (const { child } of Object.values(servers)) child.stop()
  }
  load.stop()
  reportComparison('An agent in memory', scenarios, samples)
}

async function copyAnswer(port: number, path: string): Promise<RawAnswer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`)
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  const header = (name: string) => response.headers.get(name) ?? ''
  return { path, body: await response.text(), etag: header('etag'), cacheControl: header('cache-control') }
}
