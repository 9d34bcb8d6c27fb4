import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CLOCK_SYSVAR } from '@slipway/launch-model/programs'
import { onTestFinished } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'

interface ChainUrls {
  rpcUrl: string
  wsUrl: string
}

/** The ways in which an endpoint can be wrong. */
export type Lie =
  | 'another cluster'
  | 'an empty chain'
  | 'far behind'
  | 'half missing'
  | 'a few missing'
  | 'damaged accounts'
  | 'slots from the future'
  | 'slots and time from the future'

/** Too far behind for a working node; a young chain has fewer slots than this. */
const SLOTS_BEHIND = 5_000
const SLOTS_OF_A_WEEK = 1_500_000
const SECONDS_OF_A_DAY = 86_400n
/** The other cluster is ahead, as test networks often are, so its answers are never refused as too old. */
const SLOTS_AHEAD = 500
const FEW = 3

interface Answer {
  result?: unknown
  error?: object
}

/** An endpoint of a chain, HTTP and WebSocket, that is honest until a test makes it lie. */
export async function startLyingNode(
  chain: ChainUrls,
  other: ChainUrls,
  /** The accounts that a node far behind still shows. */
  past: ReadonlyMap<string, unknown> = new Map(),
) {
  let lie: Lie | undefined
  const sockets = new Set<WebSocket>()
  const hidden = new Set<string>()
  let onChecked = () => {}

  const isMissing = (address: string) => {
    if (lie === 'an empty chain') return true
    if (lie === 'half missing') return isInHiddenHalf(address)
    return lie === 'a few missing' && hidden.has(address)
  }

  async function answerTo(request: { method: string; params?: unknown[] }): Promise<Answer> {
    const { method, params = [] } = request
    const options = params.at(-1) as { minContextSlot?: number } | undefined
    const isOther = lie === 'another cluster'
    const answer = await call(
      isOther ? other.rpcUrl : chain.rpcUrl,
      isOther || lie === 'far behind' ? withoutMinimum(request) : request,
    )
    if (lie === undefined || answer.error) return answer
    const move = (slot: number) => {
      if (isOther) return slot + SLOTS_AHEAD
      if (lie === 'slots from the future' || lie === 'slots and time from the future')
        return slot + SLOTS_OF_A_WEEK
      return lie === 'far behind' ? slot - Math.min(SLOTS_BEHIND, slot >> 1) : slot
    }
    if (method === 'getSlot') {
      const slot = move(answer.result as number)
      return isTooOld(slot, options) ? tooOld(slot) : { ...answer, result: slot }
    }
    if (method !== 'getMultipleAccounts' && method !== 'getProgramAccounts') return answer
    const { context, value } = answer.result as { context: { slot: number }; value: unknown[] }
    const slot = move(context.slot)
    if (isTooOld(slot, options)) return tooOld(slot)
    const accounts =
      method === 'getMultipleAccounts'
        ? value.map((account, at) => shown((params[0] as string[])[at] as string, account))
        : (value as { pubkey: string; account: unknown }[]).flatMap(({ pubkey, account }) => {
            const now = shown(pubkey, account)
            return now === null ? [] : [{ pubkey, account: now }]
          })
    return { ...answer, result: { context: { ...context, slot }, value: accounts } }
  }

  function shown(address: string, account: unknown): unknown {
    if (lie === 'far behind') return past.get(address) ?? null
    if (lie === 'slots and time from the future' && address === CLOCK_SYSVAR) return forged(account)
    if (lie === 'damaged accounts' && account !== null) return { ...account, data: ['', 'base64'] }
    return isMissing(address) ? null : account
  }

  const server = createServer(async (request, response) => {
    try {
      const body = JSON.parse(await textOf(request))
      const answer = await answerTo(body)
      response.end(JSON.stringify({ jsonrpc: '2.0', ...answer, id: body.id }))
      if (body.method === 'getGenesisHash') onChecked()
    } catch {
      // This also covers a caller that disconnects before it has sent everything.
      request.socket.destroy()
    }
  })
  const subscriptions = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {})
    subscriptions.handleUpgrade(request, socket, head, client => {
      const upstream = new WebSocket(lie === 'another cluster' ? other.wsUrl : chain.wsUrl)
      const waiting: string[] = []
      sockets.add(client)
      upstream.on('open', () => {
        for (const text of waiting) upstream.send(text)
      })
      client.on('message', data => {
        if (upstream.readyState === WebSocket.OPEN) upstream.send(String(data))
        else waiting.push(String(data))
      })
      upstream.on('message', data => client.send(String(data)))
      for (const side of [client, upstream]) {
        side.on('error', () => {})
        side.on('close', () => {
          sockets.delete(client)
          client.terminate()
          upstream.terminate()
        })
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.terminate()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo

  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    /** Resolves at the next request for the genesis hash. */
    nextCheck: () =>
      new Promise<void>(resolve => {
        onChecked = resolve
      }),
    /** Also ends all subscriptions, as a load balancer does when it sends clients elsewhere. */
    lie(next: Lie | undefined, about: readonly string[] = []) {
      lie = next
      hidden.clear()
      for (const address of about.slice(0, FEW)) hidden.add(address)
      for (const socket of sockets) socket.terminate()
    },
  }
}

/** The clock sysvar, a week of slots and a day ahead. */
function forged(account: unknown): unknown {
  const data = Buffer.from((account as { data: [string] }).data[0], 'base64')
  data.writeBigUInt64LE(data.readBigUInt64LE(0) + BigInt(SLOTS_OF_A_WEEK), 0)
  data.writeBigInt64LE(data.readBigInt64LE(32) + SECONDS_OF_A_DAY, 32)
  return { ...(account as object), data: [data.toString('base64'), 'base64'] }
}

/** Half of all addresses, always the same ones. */
export const isInHiddenHalf = (address: string) =>
  [...address].reduce((sum, char) => sum + char.charCodeAt(0), 0) % 2 === 0

async function call(url: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await response.json()) as Answer
}

/** The accounts of these programs as they are now. */
export async function accountsOf(rpcUrl: string, programs: readonly string[]): Promise<Map<string, unknown>> {
  const accounts = new Map<string, unknown>()
  for (const program of programs) {
    const params = [program, { encoding: 'base64', commitment: 'confirmed' }]
    const { result } = await call(rpcUrl, { jsonrpc: '2.0', id: 1, method: 'getProgramAccounts', params })
    for (const { pubkey, account } of result as { pubkey: string; account: unknown }[])
      accounts.set(pubkey, account)
  }
  return accounts
}

function withoutMinimum<T extends { params?: unknown[] }>(request: T): T {
  const { minContextSlot: _, ...options } = (request.params?.at(-1) ?? {}) as { minContextSlot?: number }
  const isConfigured = typeof request.params?.at(-1) === 'object' && !Array.isArray(request.params.at(-1))
  return isConfigured ? { ...request, params: [...(request.params ?? []).slice(0, -1), options] } : request
}

const isTooOld = (slot: number, options: { minContextSlot?: number } | undefined) =>
  (options?.minContextSlot ?? 0) > slot

const tooOld = (contextSlot: number): Answer => ({
  error: { code: -32016, message: 'Minimum context slot has not been reached', data: { contextSlot } },
})

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
