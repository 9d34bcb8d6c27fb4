import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LISTED_KINDS } from '@slipway/launch-model/kinds/kinds'
import { GENESIS_PROGRAM, TOKEN_PROGRAM } from '@slipway/launch-model/programs'
import type { Address } from '@slipway/schema/address'
import { type WebSocket, WebSocketServer } from 'ws'

/** A chain in memory whose clock the caller sets, behind JSON-RPC and WebSocket. Each change is a slot of its own. */
export interface SimulatedChain {
  rpcUrl: string
  wsUrl: string
  /** Writes accounts in a new slot with this block time, and reports those of the Genesis program. */
  write(accounts: ReadonlyMap<Address, Uint8Array>, atMs: number): void
  /** Puts an account back to its previous state, as if its last change had been on a fork that was dropped. */
  rollBack(address: Address): void
  /** Closes every connection and refuses new ones, or accepts them again. */
  setReachable(isReachable: boolean): void
  close(): Promise<void>
}

interface Change {
  slot: number
  data: Buffer
}

const GENESIS_HASH = '11111111111111111111111111111111'
const BUCKET_BYTES = new Set(LISTED_KINDS.map<number>(({ key }) => key))

export async function startSimulatedChain(firstMs: number): Promise<SimulatedChain> {
  const accounts = new Map<Address, Change[]>()
  const times = [0, Math.floor(firstMs / 1_000)]
  const subscribers = new Map<WebSocket, Map<number, number>>()
  let isReachable = true
  const slot = () => times.length - 1
  const withContext = (value: unknown) => ({ context: { slot: slot() }, value })

  function encode(address: Address, { offset = 0, length = 1e9 } = {}) {
    const last = accounts.get(address)?.at(-1)
    if (!last) return null
    const data = last.data.subarray(offset, offset + length).toString('base64')
    return { data: [data, 'base64'], executable: false, lamports: 1, owner: ownerOf(last.data), rentEpoch: 0 }
  }

  const methods: Record<string, (...params: never[]) => unknown> = {
    getSlot: slot,
    getGenesisHash: () => GENESIS_HASH,
    getBlockTime: (at: number) => times[at] ?? null,
    getLatestBlockhash: () => withContext({ blockhash: GENESIS_HASH, lastValidBlockHeight: 1_000 }),
    getSignaturesForAddress: (address: Address, { limit }: { limit: number }) =>
      (accounts.get(address) ?? [])
        .slice(-limit)
        .toReversed()
        .map(change => ({
          signature: `${address}${change.slot}`,
          slot: change.slot,
          err: null,
          blockTime: times[change.slot],
        })),
    getMultipleAccounts: (addresses: Address[]) => withContext(addresses.map(address => encode(address))),
    getProgramAccounts: (
      program: Address,
      { filters, dataSlice }: { filters: Filter[]; dataSlice?: { offset: number; length: number } },
    ) =>
      withContext(
        [...accounts]
          .filter(([, changes]) => {
            const data = changes.at(-1)?.data ?? Buffer.alloc(0)
            return ownerOf(data) === program && filters.every(filter => matches(filter, data))
          })
          .map(([pubkey]) => ({ pubkey, account: encode(pubkey, dataSlice) })),
      ),
  }

  const server = createServer(async (request, response) => {
    if (!isReachable) return void request.socket.destroy()
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      // The caller has disconnected before it had sent everything.
      return
    }
    const { id, method, params = [] } = JSON.parse(Buffer.concat(chunks).toString())
    const result = methods[method]?.(...(params as never[]))
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  new WebSocketServer({ server }).on('connection', socket => {
    if (!isReachable) return void socket.terminate()
    const subscriptions = new Map<number, number>()
    subscribers.set(socket, subscriptions)
    socket.on('close', () => subscribers.delete(socket))
    socket.on('error', () => {})
    socket.on('message', text => {
      const { id, method, params } = JSON.parse(String(text))
      const filter = ((params?.[1]?.filters ?? []) as Filter[]).find(({ memcmp }) => memcmp)
      const result = subscriptions.size + 1
      subscriptions.set(result, method === 'programSubscribe' && filter ? byteOf(filter) : -1)
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  function report(socket: WebSocket, method: string, subscription: number, result: unknown) {
    socket.send(JSON.stringify({ jsonrpc: '2.0', method, params: { subscription, result } }))
  }

  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    write(changed, atMs) {
      times.push(Math.floor(atMs / 1_000))
      for (const [address, data] of changed) {
        const changes = accounts.get(address) ?? []
        accounts.set(address, changes)
        changes.push({ slot: slot(), data: Buffer.from(data) })
      }
      for (const [socket, subscriptions] of subscribers) {
        report(socket, 'slotNotification', 0, { slot: slot(), parent: slot() - 1, root: 0 })
        for (const [address, [firstByte]] of changed)
          for (const [subscription, wanted] of subscriptions)
            if (firstByte === wanted)
              report(
                socket,
                'programNotification',
                subscription,
                withContext({ pubkey: address, account: encode(address) }),
              )
      }
    },
    rollBack(address) {
      accounts.get(address)?.pop()
    },
    setReachable(next) {
      isReachable = next
      if (next) return
      for (const socket of subscribers.keys()) socket.terminate()
      server.closeAllConnections()
    },
    async close() {
      for (const socket of subscribers.keys()) socket.terminate()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

interface Filter {
  dataSize?: number
  memcmp?: { offset: number; bytes: string }
}

const byteOf = ({ memcmp }: Filter) => Buffer.from(memcmp?.bytes ?? '', 'base64')[0] as number

const matches = (filter: Filter, data: Uint8Array) =>
  filter.memcmp ? data[filter.memcmp.offset] === byteOf(filter) : data.length === filter.dataSize

/** Everything but a bucket is a mint. */
const ownerOf = (data: Uint8Array) => (BUCKET_BYTES.has(data[0] as number) ? GENESIS_PROGRAM : TOKEN_PROGRAM)
