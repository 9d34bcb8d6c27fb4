import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { CLOCK_SYSVAR } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { onTestFinished } from 'vitest'
import { createRpc } from './create-rpc.ts'
import type { RpcObserver } from './endpoint-pool.ts'

interface NodeCall {
  id: number
  method: string
  params: unknown[]
}

/** What a node does with a call. `answer` sends the response of an honest node. */
export type Behavior = (call: NodeCall, response: ServerResponse, answer: () => void) => unknown

/** A JSON-RPC node on its own port whose behavior tests can replace. The key in its URL must never be shown. */
export async function startTestNode({ port = 0 }: { port?: number } = {}) {
  const calls: NodeCall[] = []
  const sockets = new Set<Socket>()
  const honest: Behavior = (_, __, answer) => answer()
  const node = {
    url: '',
    port: 0,
    calls,
    slot: 100,
    /** The time of its newest block. */
    timeMs: (): number => Date.now(),
    genesisHash: OUR_CLUSTER as string,
    ignoresMinContextSlot: false,
    /** Lamports by address, as they appear in the JSON. */
    accounts: new Map<string, string>(),
    behave: honest,
    connections: () => sockets.size,
    stop: () => stop(server, sockets),
  }
  const server = createServer((request, response) => {
    // Another test may still poll the server that had this port before.
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('error', () => {})
    request.on('end', () => {
      const call = JSON.parse(Buffer.concat(chunks).toString()) as NodeCall
      calls.push(call)
      node.behave(call, response, () => sendJson(response, answerTo(call)))
    })
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })

  function answerTo({ id, method, params }: NodeCall): string {
    const { minContextSlot = 0 } = (params.at(-1) ?? {}) as { minContextSlot?: number }
    if (minContextSlot > node.slot && !node.ignoresMinContextSlot)
      return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32016,"message":"Minimum context slot has not been reached","data":{"contextSlot":${node.slot}}}}`
    return `{"jsonrpc":"2.0","id":${id},"result":${resultOf(method, params)}}`
  }

  function resultOf(method: string, params: unknown[]): string {
    const context = `{"apiVersion":"4.0.0","slot":${node.slot}}`
    switch (method) {
      case 'getGenesisHash':
        return `"${node.genesisHash}"`
      case 'getSlot':
        return `${node.slot}`
      case 'getBlockTime':
        return '1700000000'
      case 'getLatestBlockhash':
        return `{"context":${context},"value":{"blockhash":"${testAddress(node.slot)}","lastValidBlockHeight":${node.slot + 150}}}`
      case 'getMultipleAccounts': {
        const accounts = (params[0] as string[]).map(address => {
          if (address === CLOCK_SYSVAR) return accountJson('1', clockData(node.slot, node.timeMs()), 40)
          const lamports = node.accounts.get(address)
          return lamports === undefined ? 'null' : accountJson(lamports)
        })
        return `{"context":${context},"value":[${accounts}]}`
      }
      default:
        return 'null'
    }
  }

  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  node.port = (server.address() as AddressInfo).port
  node.url = `http://127.0.0.1:${node.port}/${SECRET}?api-key=${SECRET}`
  onTestFinished(node.stop)
  return node
}

export type TestNode = Awaited<ReturnType<typeof startTestNode>>

export const OUR_CLUSTER = testAddress(1_000_001)
export const OTHER_CLUSTER = testAddress(1_000_002)
export const SECRET = 's3cret-k3y'
export const OWNER = 'CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d'

export const accountJson = (lamports: string, data = 'AQID', space = 3) =>
  `{"data":["${data}","base64"],"executable":false,"lamports":${lamports},"owner":"${OWNER}","rentEpoch":18446744073709551615,"space":${space}}`

/** The clock sysvar: slot, start of the epoch, epoch, next epoch, time. */
function clockData(slot: number, timeMs: number): string {
  const data = Buffer.alloc(40)
  data.writeBigUInt64LE(BigInt(slot))
  data.writeBigInt64LE(BigInt(Math.floor(timeMs / 1_000)), 32)
  return data.toString('base64')
}

export function sendJson(response: ServerResponse, text: string, status = 200) {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

/** A valid address for each number. */
export function testAddress(number: number): Address {
  const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  let digits = ''
  for (let rest = number + 1; rest > 0; rest = Math.floor(rest / 58)) digits = alphabet[rest % 58] + digits
  return `A${'1'.repeat(42 - digits.length)}${digits}` as Address
}

/** An RPC over these nodes that closes itself, with everything that its observer received. */
export function rpcOver(
  nodes: readonly (TestNode | string)[],
  options: Partial<Parameters<typeof createRpc>[0]> = {},
) {
  const seen = {
    attempts: [] as Parameters<RpcObserver['onAttempt']>[0][],
    retries: [] as Parameters<RpcObserver['onRetry']>[0][],
    endpoints: [] as Parameters<RpcObserver['onEndpoint']>[0][],
    slots: [] as [string, number][],
    behind: [] as number[],
    reads: [] as [number, number][],
    clusters: [] as Parameters<RpcObserver['onCluster']>[0][],
    lacking: [] as Parameters<RpcObserver['onLacking']>[0][],
  }
  const rpc = createRpc({
    urls: nodes.map(node => (typeof node === 'string' ? node : node.url)),
    cluster: 'any',
    observer: {
      onAttempt: attempt => seen.attempts.push(attempt),
      onRetry: retry => seen.retries.push(retry),
      onEndpoint: state => seen.endpoints.push(state),
      onSlot: (endpoint, slot) => seen.slots.push([endpoint, slot]),
      onAllBehind: slot => seen.behind.push(slot),
      onCluster: state => seen.clusters.push(state),
      onLacking: state => seen.lacking.push(state),
      onReads: (reads, calls) => seen.reads.push([reads, calls]),
    },
    ...options,
    // A test that does not wait for a limit must not run into it, however busy the machine is.
    limits: { attemptMs: 10_000, totalMs: 30_000, ...options.limits },
  })
  onTestFinished(() => rpc.close())
  return { rpc, seen, outcomes: () => seen.attempts.map(({ outcome }) => outcome) }
}

function stop(server: Server, sockets: Set<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy()
  return new Promise(resolve => server.close(() => resolve()))
}
