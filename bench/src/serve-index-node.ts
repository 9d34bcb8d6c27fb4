import { createServer } from 'node:http'
import type { Address } from '@slipway/schema/address'
import { CORE_PROGRAM, GENESIS_PROGRAM, IDENTITY_PROGRAM } from '@slipway/service/chain/addresses/programs'
import { type WebSocket, WebSocketServer } from 'ws'
import { sampleAsset, sampleBucket, sampleIdentity } from './sample-accounts.ts'

interface Account {
  owner: Address
  data: Buffer
}

const SLOT_MS = 400
/** Any base58 of 32 bytes. */
const GENESIS_HASH = '11111111111111111111111111111111'
const FIRST_SLOT = 1_000

/** A node in memory with this many launches and agents that answers the indexer as fast as it can encode JSON. */
export async function serveIndexNode({
  launches,
  agents,
}: {
  launches: number
  agents: number
}): Promise<{ rpcUrl: string; wsUrl: string }> {
  const accounts = new Map<Address, Account>()
  const programs = new Map<Address, Address[]>([
    [CORE_PROGRAM, []],
    [IDENTITY_PROGRAM, []],
    [GENESIS_PROGRAM, []],
  ])
  const put = (address: Address, owner: Address, data: Buffer) => {
    accounts.set(address, { owner, data })
    programs.get(owner)?.push(address)
  }
  for (let index = 0; index < launches; index += 1) {
    const { address, data } = sampleBucket(index)
    put(address, GENESIS_PROGRAM, data)
  }
  for (let index = 0; index < agents; index += 1) {
    const asset = sampleAsset(index)
    put(asset.address, CORE_PROGRAM, asset.data)
    const identity = sampleIdentity(index)
    put(identity.address, IDENTITY_PROGRAM, identity.data)
  }

  const startMs = Date.now()
  const slotNow = () => FIRST_SLOT + Math.floor((Date.now() - startMs) / SLOT_MS)
  const sockets = new Set<{
    socket: WebSocket
    programs: Map<number, { program: Address; first?: number }>
  }>()

  const methods: Record<string, (...params: never[]) => unknown> = {
    getSlot: slotNow,
    getGenesisHash: () => GENESIS_HASH,
    getBlockTime: (slot: number) => Math.floor((startMs + (slot - FIRST_SLOT) * SLOT_MS) / 1_000),
    getSignaturesForAddress: () => [],
    getMultipleAccounts: (addresses: Address[]) => withContext(addresses.map(address => encode(address))),
    getProgramAccounts: (
      program: Address,
      { filters, dataSlice }: { filters: Filter[]; dataSlice?: Slice },
    ) => {
      const wanted = filters.map(parseFilter)
      const found = (programs.get(program) ?? []).filter(address => {
        const { data } = accounts.get(address) as Account
        return wanted.every(({ offset, byte }) => data[offset] === byte)
      })
      return withContext(found.map(pubkey => ({ pubkey, account: encode(pubkey, dataSlice) })))
    },
    /** Changes these launches now. */
    touch: (indexes: number[]) => {
      for (const index of indexes) touch(index)
      return slotNow()
    },
  }

  const withContext = (value: unknown) => ({ context: { slot: slotNow() }, value })

  function encode(address: Address, { offset, length } = WHOLE) {
    const account = accounts.get(address)
    if (!account) return null
    const data = account.data.subarray(offset, offset + length).toString('base64')
    return {
      data: [data, 'base64'],
      executable: false,
      lamports: 2_000_000,
      owner: account.owner,
      rentEpoch: 0,
      space: account.data.length,
    }
  }

  function touch(index: number) {
    const { address } = sampleBucket(index)
    const account = accounts.get(address)
    if (!account) return
    const data = Buffer.from(account.data)
    // A byte in the balances, so that the digest changes.
    data.writeUInt32LE((data.readUInt32LE(data.length - 8) + 1) >>> 0, data.length - 8)
    accounts.set(address, { ...account, data })
    const value = { pubkey: address, account: encode(address) }
    for (const { socket, programs: subscribed } of sockets) {
      for (const [subscription, { program, first }] of subscribed) {
        if (program !== account.owner || (first !== undefined && data[0] !== first)) continue
        const params = { result: withContext(value), subscription }
        socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'programNotification', params }))
      }
    }
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
  let subscriptions = 0
  new WebSocketServer({ server }).on('connection', socket => {
    const mine = new Map<number, { program: Address; first?: number }>()
    const entry = { socket, programs: mine }
    sockets.add(entry)
    let parent = slotNow()
    const timer = setInterval(() => {
      const slot = slotNow()
      if (slot === parent) return
      const params = { result: { parent, root: slot - 32, slot }, subscription: 0 }
      socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'slotNotification', params }))
      parent = slot
    }, SLOT_MS)
    socket.on('close', () => {
      clearInterval(timer)
      sockets.delete(entry)
    })
    socket.on('message', text => {
      const { id, method, params } = JSON.parse(String(text))
      let result = 0
      if (method === 'programSubscribe') {
        subscriptions += 1
        result = subscriptions
        const [filter] = (params[1].filters as Filter[]).map(parseFilter)
        mine.set(result, { program: params[0], ...(filter && { first: filter.byte }) })
      }
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return { rpcUrl: `http://127.0.0.1:${port}`, wsUrl: `ws://127.0.0.1:${port}` }
}

type Filter = { memcmp: { offset: number; bytes: string } }
interface Slice {
  offset: number
  length: number
}
const WHOLE: Slice = { offset: 0, length: 1_000_000 }

const parseFilter = ({ memcmp: { offset, bytes } }: Filter) => ({
  offset,
  byte: Buffer.from(bytes, 'base64')[0] as number,
})
