import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { type LocalChain, type LocalChainOptions, startLocalChain } from '../src/index.ts'
import type { Keypair } from '../src/ledger/keypair.ts'
import { parseTransaction } from '../src/ledger/parse-transaction.ts'
import { signTransaction } from '../src/ledger/sign-transaction.ts'
import type { InnerInstruction } from '../src/programs/stand-in.ts'

/** A folder of its own that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-chain-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A chain on free ports that closes itself. */
export async function startChain(options: Partial<LocalChainOptions> = {}): Promise<LocalChain> {
  const local = await startLocalChain({
    network: 'chain-mainnet',
    dataDir: options.dataDir ?? temporaryFolder(),
    port: 0,
    ...options,
  })
  onTestFinished(() => local.close())
  return local
}

/** Signs, lands and tells how it ended, in this process. */
export function submit({ chain }: LocalChain, payer: Keypair, ...instructions: InnerInstruction[]) {
  const blockhash = chain.clock.blockhash(chain.clock.slot())
  return chain.submit(parseTransaction(signTransaction([payer], instructions, blockhash)))
}

export type RpcAnswer = {
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
  id?: unknown
}

export async function call(local: LocalChain, method: string, ...params: unknown[]): Promise<RpcAnswer> {
  return (await post(local, { jsonrpc: '2.0', id: 1, method, params })).json() as Promise<RpcAnswer>
}

export function post(
  local: LocalChain,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(local.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

export async function openSocket(local: LocalChain): Promise<WebSocket> {
  const socket = new WebSocket(local.wsUrl)
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  return socket
}

/** What a socket has heard so far, and goes on hearing. */
export function collect(socket: WebSocket) {
  const messages: { method?: string; id?: number; result?: unknown; [key: string]: unknown }[] = []
  socket.on('message', data => messages.push(JSON.parse(data.toString())))
  return messages
}
