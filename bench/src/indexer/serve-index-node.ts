import { createServer } from 'node:http'
import type { Address } from '@slipway/schema/address'
import { type WebSocket, WebSocketServer } from 'ws'
import { listen } from '../lib/listen.ts'
import { createSampleChain, type SampleChain } from './sample-chain.ts'

export interface IndexNodeUrls {
  rpcUrl: string
  wsUrl: string
}

const SLOT_MS = 400
/** Any base58 of 32 bytes. */
const GENESIS_HASH = '11111111111111111111111111111111'
const FIRST_SLOT = 1_000

/** A node in memory with this many launches and agents that answers the indexer as fast as it can encode JSON. */
export async function serveIndexNode(size: { launches: number; agents: number }): Promise<IndexNodeUrls> {
  const chain = createSampleChain(size)
  const clock = createSlotClock()
  const withContext = (value: unknown) => ({ context: { slot: clock.slot() }, value })
  const methods: Record<string, (...params: never[]) => unknown> = {
    getSlot: clock.slot,
    getGenesisHash: () => GENESIS_HASH,
    getBlockTime: clock.timeOf,
    getSignaturesForAddress: () => [],
    getMultipleAccounts: (addresses: Address[]) =>
      withContext(addresses.map(address => chain.encode(address))),
    getProgramAccounts: (
      program: Address,
      { filters, dataSlice }: { filters: Filter[]; dataSlice?: { offset: number; length: number } },
    ) => withContext(chain.encodeAll(program, filters.map(parseFilter), dataSlice)),
    /** Changes these launches now. */
    touch: (indexes: number[]) => {
      for (const index of indexes) chain.touch(index)
      return clock.slot()
    },
  }
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      const { id, method, params } = JSON.parse(body)
      const result = methods[method]?.(...((params ?? []) as never[]))
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  })
  new WebSocketServer({ server }).on('connection', socket => {
    notifySlots(socket, clock)
    answerSubscriptions(socket, chain, withContext)
  })
  const port = await listen(server)
  return { rpcUrl: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port}` }
}

interface SlotClock {
  slot(): number
  /** The block time of a slot, in whole seconds. */
  timeOf(slot: number): number
}

function createSlotClock(): SlotClock {
  const startMs = Date.now()
  return {
    slot: () => FIRST_SLOT + Math.floor((Date.now() - startMs) / SLOT_MS),
    timeOf: slot => Math.floor((startMs + (slot - FIRST_SLOT) * SLOT_MS) / 1_000),
  }
}

function notifySlots(socket: WebSocket, clock: SlotClock): void {
  let parent = clock.slot()
  const timer = setInterval(() => {
    const slot = clock.slot()
    if (slot === parent) return
    const params = { result: { parent, root: slot - 32, slot }, subscription: 0 }
    socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'slotNotification', params }))
    parent = slot
  }, SLOT_MS)
  socket.on('close', () => clearInterval(timer))
}

/** Answers each call; a `programSubscribe` gets every change of the program's accounts from then on. */
function answerSubscriptions(
  socket: WebSocket,
  chain: SampleChain,
  withContext: (value: unknown) => unknown,
): void {
  const subscriptions = new Map<number, { program: Address; firstByte?: number }>()
  const stop = chain.onChange(({ address, owner, data }) => {
    const value = { pubkey: address, account: chain.encode(address) }
    for (const [subscription, { program, firstByte }] of subscriptions) {
      if (program !== owner || (firstByte !== undefined && data[0] !== firstByte)) continue
      const params = { result: withContext(value), subscription }
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'programNotification', params }))
    }
  })
  socket.on('close', stop)
  socket.on('message', text => {
    const { id, method, params } = JSON.parse(String(text))
    let result = 0
    if (method === 'programSubscribe') {
      result = subscriptions.size + 1
      const [filter] = (params[1].filters as Filter[]).map(parseFilter)
      subscriptions.set(result, { program: params[0], ...(filter && { firstByte: filter.byte }) })
    }
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
}

interface Filter {
  memcmp: { offset: number; bytes: string }
}

const parseFilter = ({ memcmp: { offset, bytes } }: Filter) => ({
  offset,
  byte: Buffer.from(bytes, 'base64')[0] as number,
})
