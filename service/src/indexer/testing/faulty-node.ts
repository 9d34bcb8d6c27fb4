import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import WebSocket, { WebSocketServer } from 'ws'

/** The probability of each fault, from 0 to 1. */
export interface Faults {
  /** Of a call: an HTTP status, an RPC error, a broken connection, or a long wait. */
  calls: number
  /** Of a notification: dropped, sent twice, or sent late and so out of order. */
  dropped: number
  doubled: number
  delayed: number
  /** How long a socket lives on average before it is cut off or falls silent. */
  socketMs: number
}

export const NO_FAULTS: Faults = { calls: 0, dropped: 0, doubled: 0, delayed: 0, socketMs: Infinity }
const DELAY_MS_MAX = 700

/** A proxy between the indexer and a chain that injects the faults of real networks and nodes. */
export async function startFaultyNode({
  rpcUrl,
  wsUrl,
  random,
}: {
  rpcUrl: string
  wsUrl: string
  random: () => number
}) {
  let faults = NO_FAULTS
  let isRefusing = false
  let lagSlots = 0
  let keptSlot = 0
  const sockets = new Set<WebSocket>()

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    if (random() < faults.calls) {
      const kind = Math.floor(random() * 5)
      if (kind === 0) return void request.socket.destroy()
      if (kind === 1) return void response.writeHead(503).end('busy')
      if (kind === 2) return void response.writeHead(429, { 'retry-after': '0' }).end()
      if (kind === 3) {
        const { id } = JSON.parse(body)
        const error = { code: -32005, message: 'Node is behind by 42 slots', data: { numSlotsBehind: 42 } }
        return void response.writeHead(200).end(JSON.stringify({ jsonrpc: '2.0', id, error }))
      }
      await new Promise(resolve => setTimeout(resolve, random() * DELAY_MS_MAX))
    }
    const upstream = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    response.writeHead(upstream.status, { 'content-type': 'application/json' })
    const text = await upstream.text()
    response.end(keptSlot > 0 ? forget(JSON.parse(body).method, text, keptSlot) : text)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy())
  })
  const sub = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => {})
    if (isRefusing) return void socket.end('HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\n\r\n')
    sub.handleUpgrade(request, socket, head, serve)
  })

  function serve(client: WebSocket) {
    sockets.add(client)
    const upstream = new WebSocket(wsUrl)
    const waiting: string[] = []
    let isSilent = false
    upstream.on('open', () => {
      for (const text of waiting) upstream.send(text)
    })
    client.on('message', data => {
      if (upstream.readyState === WebSocket.OPEN) upstream.send(String(data))
      else waiting.push(String(data))
    })
    upstream.on('message', data => {
      const text = String(data)
      const deliver = () => client.readyState === WebSocket.OPEN && !isSilent && client.send(text)
      if (text.includes('slotNotification') && lagSlots > 0)
        return void (client.readyState === WebSocket.OPEN && client.send(putBack(text, lagSlots)))
      if (!text.includes('programNotification')) return void deliver()
      if (random() < faults.dropped) return
      const times = random() < faults.doubled ? 2 : 1
      for (let time = 0; time < times; time += 1) {
        if (random() < faults.delayed) setTimeout(deliver, random() * DELAY_MS_MAX)
        else deliver()
      }
    })
    const end = () => {
      clearTimeout(timer)
      sockets.delete(client)
      client.terminate()
      upstream.terminate()
    }
    for (const socket of [client, upstream]) {
      socket.on('error', end)
      socket.on('close', end)
    }
    const lifeMs = faults.socketMs === Infinity ? 2 ** 30 : -Math.log(1 - random()) * faults.socketMs
    const timer = setTimeout(() => {
      if (random() < 0.3) isSilent = true
      else end()
    }, lifeMs)
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    for (const socket of sockets) socket.terminate()
    server.close()
    server.closeAllConnections()
  })
  return {
    rpcUrl: `http://127.0.0.1:${port}`,
    wsUrl: `ws://127.0.0.1:${port}`,
    setFaults(next: Faults) {
      faults = next
    },
    /** Refuses new subscriptions and ends the existing ones. */
    refuse(value: boolean) {
      isRefusing = value
      if (value) for (const socket of sockets) socket.terminate()
    },
    /** Reports slots that are this far in the past, like a node that has fallen behind. */
    lag(slots: number) {
      lagSlots = slots
    },
    /** Answers as a node that has dropped the transactions of earlier slots. */
    keepFrom(slot: number) {
      keptSlot = slot
    },
    cutSockets() {
      for (const socket of sockets) socket.terminate()
    },
  }
}

function putBack(notification: string, slots: number): string {
  const message = JSON.parse(notification)
  const { slot, parent, root } = message.params.result
  message.params.result = { slot: slot - slots, parent: parent - slots, root: root - slots }
  return JSON.stringify(message)
}

interface InSlot {
  slot: number
}

function forget(method: string, text: string, keptSlot: number): string {
  const answer = JSON.parse(text)
  const isKept = (entry: InSlot | null) => entry !== null && entry.slot >= keptSlot
  if (method === 'getSignaturesForAddress') answer.result = (answer.result as InSlot[]).filter(isKept)
  if (method === 'getTransaction' && !isKept(answer.result)) answer.result = null
  if (method === 'getSignatureStatuses')
    answer.result.value = answer.result.value.map((entry: InSlot | null) => (isKept(entry) ? entry : null))
  return JSON.stringify(answer)
}
