import { getAddressEncoder } from '@solana/addresses'
import { type Child, startChild, TURNS } from '../lib/child.ts'
import { type ChildServer, type LoadSample, measureLoad } from '../lib/load.ts'
import { median, printTable } from '../lib/report.ts'
import { SAMPLE_AGENT, SAMPLE_OWNER } from '../lib/sample-agent.ts'

const CONNECTIONS = 16

/**
 * Compares withdrawals per second through the whole service with a raw server that uses stock Umi. The node is a
 * stub.
 */
export async function benchWithdrawals(): Promise<void> {
  const [load, node, ours, theirs] = Array.from({ length: 4 }, () => startChild()) as [
    Child,
    Child,
    Child,
    Child,
  ]
  const rpcUrl = `http://127.0.0.1:${await node.call<number>('serveRpcStub', assetData())}`
  const servers = {
    ours: { child: ours, port: await ours.call<number>('serveWithdrawals', rpcUrl) },
    theirs: { child: theirs, port: await theirs.call<number>('serveUmiWithdrawals', rpcUrl) },
  }
  await assertSame(servers.ours.port, servers.theirs.port)
  const samples = { ours: [] as LoadSample[], theirs: [] as LoadSample[] }
  for (let turn = 0; turn < TURNS; turn += 1) {
    const kinds = ['ours', 'theirs'] as const
    for (const kind of turn % 2 === 0 ? kinds : kinds.toReversed())
      samples[kind].push(await measure(load, servers[kind]))
  }
  for (const child of [load, node, ours, theirs]) child.stop()
  const row = (name: string, taken: LoadSample[]) => [
    name,
    median(taken.map(({ perSecond }) => perSecond)).toFixed(0),
    median(taken.map(({ cpuMicros }) => cpuMicros)).toFixed(0),
  ]
  const ratios = samples.ours.map(
    ({ perSecond }, at) => perSecond / (samples.theirs[at]?.perSecond ?? Number.NaN),
  )
  printTable(
    `Withdrawals with a stub as the node: ${median(ratios).toFixed(1)} times as many as with stock Umi`,
    ['', 'per second', 'CPU µs each'],
    [row('Slipway', samples.ours), row('raw `node:http` and stock Umi', samples.theirs)],
  )
}

const BODY = JSON.stringify({ sender: SAMPLE_OWNER, amount: 0.25 })
const PATH = `/v1/agents/${SAMPLE_AGENT}/withdraw`

function measure(load: Child, server: ChildServer): Promise<LoadSample> {
  return measureLoad(load, server, {
    request: `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
    connections: CONNECTIONS,
    seconds: 1.5,
    warmUpSeconds: 0.5,
  })
}

/** Throws unless both build the same bytes, because the comparison would mean nothing. */
async function assertSame(ourPort: number, theirPort: number): Promise<void> {
  const [ours, theirs] = await Promise.all(
    [ourPort, theirPort].map(async port => {
      const response = await fetch(`http://127.0.0.1:${port}${PATH}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: BODY,
      })
      return ((await response.json()) as { tx?: string }).tx
    }),
  )
  if (!ours || ours !== theirs) throw new Error('the two servers build different transactions')
}

/** An asset of the sample owner without a collection: key, owner, no authority, empty name and URI, no sequence. */
function assetData(): string {
  const owner = getAddressEncoder().encode(SAMPLE_OWNER)
  return Buffer.concat([Buffer.from([1]), Buffer.from(owner), Buffer.alloc(1 + 4 + 4 + 1)]).toString('base64')
}
