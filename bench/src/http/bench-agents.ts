import { SAMPLE_AGENT } from '../lib/sample-agent.ts'
import { compareWithRaw, reportComparison, type Scenario } from './compare.ts'

const DETAIL = `/v1/agents/${SAMPLE_AGENT}`
const CARD = `${DETAIL}/agent-card.json`

const scenarios: Scenario[] = [
  { name: 'card 200', path: CARD, headers: '' },
  { name: 'card 304', path: CARD, headers: 'If-None-Match: ETAG\r\n' },
  { name: 'detail 200', path: DETAIL, headers: '' },
].map(scenario => ({ ...scenario, connections: 64, seconds: 0.3 }))

/** Compares cards and details of an agent in memory with raw `node:http` that sends the same bytes. */
export async function benchAgents(): Promise<void> {
  reportComparison('An agent in memory', await compareWithRaw(1, scenarios))
}
