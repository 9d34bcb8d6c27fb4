import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from '../attack.ts'
import { sendBytes, watchHealth } from '../client.ts'

const REQUESTS = 20_000
const REQUEST = 'GET /v1/launches HTTP/1.1\r\nHost: a\r\n\r\n'
const ORDINARY = 40

/** One client writes thousands of requests into each of its connections without reading the responses first. */
export const pipelining: Attack = {
  name: 'pipelining',
  async run({ port }, isShort) {
    const one = await watchHealth(port, () => flood(port, 1, isShort ? 300 : 2_000))
    const twenty = await watchHealth(port, () => flood(port, 20, isShort ? 500 : 12_000))
    const answers = await ordinaryPipelining(port)
    return [
      {
        what: '/healthz during 20,000 requests on one connection',
        value: one.longestMs,
        unit: 'ms',
        atMost: 500,
      },
      {
        what: '/healthz during 20 such connections',
        value: twenty.longestMs,
        unit: 'ms',
        atMost: 1_000,
      },
      { what: '/healthz failures', value: one.failures + twenty.failures, unit: 'requests', atMost: 0 },
      {
        what: `missing answers to ${ORDINARY} pipelined requests of an ordinary client`,
        value: ORDINARY - answers,
        unit: 'answers',
        atMost: 0,
      },
    ]
  },
}

/** Reconnects whenever a connection is closed, for the whole time. */
async function flood(port: number, connections: number, forMs: number) {
  const bytes = Buffer.from(REQUEST.repeat(REQUESTS))
  let isOver = false
  const sockets = new Set<ReturnType<typeof connect>>()
  const attack = async () => {
    while (!isOver) {
      await new Promise(resolve => {
        const socket = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.66' })
        sockets.add(socket)
        socket.on('connect', () => socket.write(bytes))
        socket.on('error', () => {})
        socket.resume()
        socket.on('close', () => {
          sockets.delete(socket)
          resolve(undefined)
        })
      })
      await sleep(10)
    }
  }
  const attackers = Array.from({ length: connections }, attack)
  await sleep(forMs)
  isOver = true
  for (const socket of sockets) socket.destroy()
  await Promise.all(attackers)
}

async function ordinaryPipelining(port: number): Promise<number> {
  const request = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
  const { text } = await sendBytes(port, request.repeat(ORDINARY), { localAddress: '127.0.0.67' })
  return text.split('HTTP/1.1 200').length - 1
}
