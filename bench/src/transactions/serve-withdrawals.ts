import { createServer, type IncomingMessage } from 'node:http'
import type { Address } from '@slipway/schema/address'
import { withdrawFromAgentEndpoint } from '@slipway/service/agents/withdraw-from-agent.route'
import { createBlockhashSource } from '@slipway/service/chain/blockhash'
import { createHeavyReads } from '@slipway/service/chain/heavy-reads'
import { createRpc } from '@slipway/service/chain/rpc/create-rpc'
import { createServer as createSlipway } from '@slipway/service/http/server'
import { Agent, request } from 'undici'
import { listen } from '../lib/listen.ts'
import { SAMPLE_AGENT, SAMPLE_OWNER } from '../lib/sample-agent.ts'
import { createServerParts } from '../lib/server-parts.ts'

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
