import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { CONDITIONS } from '../conditions.ts'
import { createChain } from '../ledger/create-chain.ts'
import { createKeypair, type Keypair, signTransaction } from '../ledger/keypair.ts'
import { parseTransaction } from '../ledger/parse-transaction.ts'
import { systemTransfer } from '../ledger/system-instructions.ts'
import type { Instruction } from '../programs/stand-in.ts'
import { type LocalChain, type LocalChainOptions, startLocalChain } from '../start-local-chain.ts'

export const SOL = 1_000_000_000n

/** A chain on free ports that is closed when the test finishes. */
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

/** The same for all tests of a file. */
export function useChain(): () => LocalChain {
  let local: LocalChain
  beforeAll(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'slipway-chain-'))
    local = await startLocalChain({ network: 'chain-mainnet', dataDir, port: 0 })
    return async () => {
      await local.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
  return () => local
}

/** A chain on free ports, whose clock moves only when the test moves it. `advance` returns its new time. */
export async function startStoppedChain() {
  let nowMs = Date.now()
  const local = await startChain({ now: () => nowMs })
  const advance = (slots: number) => {
    nowMs += slots * CONDITIONS.slotMs
    local.chain.tick()
    return nowMs
  }
  return { local, advance }
}

/** A chain without servers, whose clock moves only when the test moves it. It starts without stand-ins and programs. */
export function createManualChain(
  options: Partial<Pick<Parameters<typeof createChain>[0], 'standIns' | 'programs'>> = {},
) {
  let nowMs = 1_000_000_000_000
  const chain = createChain({
    directory: temporaryFolder(),
    programs: options.programs ?? new Map(),
    standIns: options.standIns ?? [],
    onError(error) {
      throw error
    },
    now: () => nowMs,
  })
  onTestFinished(() => chain.close())
  return {
    chain,
    advance(slots: number): void {
      nowMs += slots * CONDITIONS.slotMs
      chain.tick()
    },
    /** Moves the clock to a time in Unix seconds. */
    advanceTo(unixTime: number): void {
      nowMs = unixTime * 1_000
      chain.tick()
    },
  }
}

/** A new key that holds one SOL. */
export function fundedKeypair(local: LocalChain): Keypair {
  const key = createKeypair()
  local.airdrop(key.address, SOL)
  return key
}

export const latestBlockhash = ({ chain }: Pick<LocalChain, 'chain'>): string =>
  chain.clock.blockhash(chain.clock.slot())
export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Signs a transaction and runs it in this process, without going through RPC. */
export function submit(local: LocalChain, payer: Keypair, ...instructions: Instruction[]) {
  return local.chain.submit(parseTransaction(signTransaction([payer], instructions, latestBlockhash(local))))
}

/** A signed transfer to a new address, in base64. */
export function signedTransfer(
  local: LocalChain,
  from: Keypair,
  lamports: bigint,
  blockhash = latestBlockhash(local),
): string {
  const transfer = systemTransfer(from.address, createKeypair().address, lamports)
  return base64(signTransaction([from], [transfer], blockhash))
}

export const sendTransaction = (
  local: LocalChain,
  transaction: string,
  config: object = {},
): Promise<RpcResponse> => call(local, 'sendTransaction', transaction, { encoding: 'base64', ...config })

type RpcResponse = {
  result?: unknown
  error?: { code: number; message: string; data?: unknown }
  id?: unknown
}

export async function call(local: LocalChain, method: string, ...params: unknown[]): Promise<RpcResponse> {
  return (await post(local, { jsonrpc: '2.0', id: 1, method, params })).json() as Promise<RpcResponse>
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

/** Returns an array to which every message of the socket is appended as it arrives. */
export function collectMessages(socket: WebSocket) {
  const messages: { method?: string; id?: number; result?: unknown; [key: string]: unknown }[] = []
  socket.on('message', data => messages.push(JSON.parse(data.toString())))
  return messages
}

/** A new folder that is removed when the test finishes. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-chain-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
