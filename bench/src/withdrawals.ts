import { createServer, type IncomingMessage } from 'node:http'
import type { Address } from '@slipway/schema/address'
import { withdrawFromAgentEndpoint } from '@slipway/service/agents/withdraw-from-agent.route'
import { createBlockhashSource } from '@slipway/service/chain/blockhash'
import { createHeavyReads } from '@slipway/service/chain/heavy-reads'
import { createRpc } from '@slipway/service/chain/rpc/create-rpc'
import { createServer as createSlipway } from '@slipway/service/http/server'
import { getAddressEncoder } from '@solana/addresses'
import { Agent, request } from 'undici'
import {
  type Child,
  type ChildServer,
  type LoadSample,
  listen,
  measureLoad,
  median,
  printTable,
  startChild,
  TURNS,
} from './lib.ts'
import { createServerParts, SAMPLE_AGENT, SAMPLE_OWNER } from './samples.ts'

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

const CORE = 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d'
const BLOCKHASH = 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N'

/** A node that has one asset and a prepared response for it; `asset` is its data in base64. */
export function serveRpcStub(asset: string): Promise<number> {
  const context = { slot: 1_000, apiVersion: '2.2.0' }
  const account = {
    data: [asset, 'base64'],
    executable: false,
    lamports: 1,
    owner: CORE,
    rentEpoch: 0,
    space: 0,
  }
  const results: Record<string, unknown> = {
    getMultipleAccounts: { context, value: [account] },
    getLatestBlockhash: { context, value: { blockhash: BLOCKHASH, lastValidBlockHeight: 1_150 } },
    getSlot: 1_000,
  }
  return answerWith(async message => {
    const { id, method } = JSON.parse(message)
    return JSON.stringify({ jsonrpc: '2.0', id, result: results[method] })
  })
}

/** The endpoint in the whole HTTP server of the service, with that node. */
export async function serveWithdrawals(rpcUrl: string): Promise<number> {
  const reader = createRpc({ urls: [rpcUrl], cluster: 'any' })
  const blockhash = createBlockhashSource(reader)
  blockhash.start()
  const app = createSlipway({
    ...createServerParts(),
    endpoints: [
      withdrawFromAgentEndpoint({
        chains: { 'chain-mainnet': { rpc: reader, blockhash, heavyReads: createHeavyReads() } },
        database: undefined as never,
      }),
    ],
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as { port: number }).port
}

/** The reference: raw `node:http`, one account read, and stock Umi. No limits, log, metrics or input validation. */
export async function serveUmiWithdrawals(rpcUrl: string): Promise<number> {
  const { stockUmi, withdrawWithUmi } = await import('@slipway/service/official-clients/stock-umi')
  const umi = stockUmi(SAMPLE_OWNER)
  const dispatcher = new Agent({ connections: 16 })
  const params = [[SAMPLE_AGENT], { encoding: 'base64', commitment: 'confirmed' }]
  const question = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getMultipleAccounts', params })
  return answerWith(async message => {
    const { sender, amount } = JSON.parse(message)
    const { body } = await request(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: question,
      dispatcher,
    })
    await body.json()
    const lamports = BigInt(Math.round(amount * 1e9))
    const tx = withdrawWithUmi(umi, {
      asset: SAMPLE_AGENT,
      owner: sender as Address,
      lamports,
      blockhash: BLOCKHASH,
    })
    return JSON.stringify({
      success: true,
      tx,
      blockhash: { blockhash: BLOCKHASH, lastValidBlockHeight: 1_150 },
    })
  })
}

function answerWith(answer: (message: string) => Promise<string>): Promise<number> {
  const server = createServer(async (incoming, response) => {
    const body = Buffer.from(await answer(await readAll(incoming)))
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
    response.end(body)
  })
  return listen(server)
}

async function readAll(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
