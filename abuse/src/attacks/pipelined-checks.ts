import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import type { Figure } from '../figure.ts'
import { watchReads } from '../watch-reads.ts'

const CONNECTIONS = 250
const CONNECTIONS_SHORT = 80
/** Just below what one connection alone may deliver at once. */
const REQUESTS = 90
/** The id of the last request, which its answer repeats. */
const LAST = 'last-of-all'
const REQUEST_LINES = ['OPTIONS /v1/agents/mint', 'GET /healthz', 'GET /readyz', 'GET /metrics']

/** One client writes many preflights or health checks into each of its connections, again and again. */
export const pipelinedChecks: Attack = {
  name: 'pipelined checks',
  async run({ port }, { isShort }) {
    const alone = await watchReads(port, () => sleep(isShort ? 200 : 1_000))
    const figures: Figure[] = [{ what: 'longest read without an attack', value: alone.longestMs, unit: 'ms' }]
    for (const [at, line] of REQUEST_LINES.entries()) {
      // A different client each time, so that it is not slowed down because of the previous flood.
      const attacker = {
        line,
        localAddress: `127.0.1.${at + 1}`,
        forMs: isShort ? 300 : 5_000,
        connections: isShort ? CONNECTIONS_SHORT : CONNECTIONS,
      }
      const reads = await watchReads(port, () => flood(port, attacker))
      figures.push({
        what: `longest read by another client during ${line}`,
        value: reads.longestMs,
        unit: 'ms',
        atMost: 250,
      })
      figures.push({
        what: 'failed reads and health checks by that client',
        value: reads.failures,
        unit: 'requests',
        atMost: 0,
      })
    }
    return figures
  },
}

/** All connections send at the same time, and again as soon as everything is answered or closed. */
async function flood(port: number, { line, localAddress, forMs, connections }: Flood) {
  const request = (id: string) => `${line} HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${id}\r\n\r\n`
  const bytes = request('x').repeat(REQUESTS - 1) + request(LAST)
  let sockets: Socket[] = []
  for (const endMs = performance.now() + forMs; performance.now() < endMs; ) {
    const open = sockets.filter(({ destroyed }) => !destroyed)
    const missing = Array.from({ length: connections - open.length }, () => openSocket(port, localAddress))
    sockets = [...open, ...(await Promise.all(missing))]
    await Promise.all(sockets.map(socket => send(socket, bytes)))
  }
  for (const socket of sockets) socket.destroy()
}

interface Flood {
  line: string
  localAddress: string
  forMs: number
  connections: number
}

function openSocket(port: number, localAddress: string): Promise<Socket> {
  return new Promise(resolve => {
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    socket.on('error', () => {})
    socket.once('connect', () => resolve(socket))
    socket.once('close', () => resolve(socket))
  })
}

/** Resolves when the last request is answered, or the connection is closed. */
function send(socket: Socket, bytes: string): Promise<void> {
  return new Promise(resolve => {
    let received = ''
    const read = (chunk: Buffer) => {
      received = received.slice(-LAST.length) + chunk.toString('latin1')
      if (received.includes(LAST)) end()
    }
    const end = () => {
      socket.off('data', read)
      resolve()
    }
    socket.on('data', read)
    socket.once('close', end)
    if (socket.destroyed) end()
    else socket.write(bytes)
  })
}
