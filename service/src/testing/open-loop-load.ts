import { spawn } from 'node:child_process'
import { once } from 'node:events'

interface LoadOptions {
  url: string
  path: string
  /** Makes it a POST. */
  body?: object
  perSecond: number
  seconds: number
  /** All of them are open before the first request. A request that finds none free is not sent. */
  connections: number
}

interface LoadResult {
  sent: number
  /** Connections that broke before the answer. */
  broken: number
  /** Milliseconds from sending to the answer, in ascending order, by status. */
  latencies: Record<string, number[]>
}

/**
 * Sends requests at a fixed rate, whether or not earlier ones are answered, as many independent clients would. Runs in
 * another process, so that its latencies do not depend on the event loop of the test.
 */
export async function sendLoad(options: LoadOptions): Promise<LoadResult> {
  const child = spawn(process.execPath, ['-e', `(${sendInChild})(${JSON.stringify(options)})`], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [result] = await once(child, 'message')
  child.kill()
  return result as LoadResult
}

export function percentile(sorted: readonly number[] | undefined, part: number): number {
  return sorted?.[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** Its text runs in the child: it can use nothing from outside. */
function sendInChild({ url, path, body, perSecond, seconds, connections }: LoadOptions) {
  const { connect } = require('node:net') as typeof import('node:net')
  const { hostname, port } = new URL(url)
  const json = body && JSON.stringify(body)
  const request = json
    ? `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`
    : `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
  const latencies: Record<string, number[]> = {}
  const free: { ask(): void }[] = []
  let sent = 0
  let broken = 0
  let unanswered = 0
  let toOpen = connections
  let opened = 0

  function open(onOpen: () => void) {
    let sentMs = 0
    let received = ''
    const client = {
      ask() {
        sentMs = performance.now()
        received = ''
        unanswered += 1
        sent += 1
        socket.write(request)
      },
    }
    const socket = connect(Number(port), hostname, () => client.ask())
    socket.setNoDelay()
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      received += chunk
      const head = received.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
      if (head === -1 || received.length < head + 4 + length) return
      const status = received.slice(9, 12)
      latencies[status] ??= []
      latencies[status].push(performance.now() - sentMs)
      unanswered -= 1
      sentMs = 0
      free.push(client)
      onOpen()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (sentMs === 0) return
      broken += 1
      unanswered -= 1
    })
  }

  /** A connection is open when the server has answered on it. The server accepts only some at a time. */
  function openAll() {
    let isOpen = false
    toOpen -= 1
    open(() => {
      if (isOpen) return
      isOpen = true
      opened += 1
      if (toOpen > 0) openAll()
      else if (opened === connections) start()
    })
  }

  function start() {
    for (const status of Object.keys(latencies)) delete latencies[status]
    sent = 0
    const startMs = performance.now()
    const endMs = startMs + seconds * 1_000
    let due = 0
    const timer = setInterval(() => {
      const nowMs = performance.now()
      const target = ((Math.min(nowMs, endMs) - startMs) / 1_000) * perSecond
      for (; due < target; due += 1) free.shift()?.ask()
      if (nowMs < endMs || (unanswered > 0 && nowMs < endMs + 5_000)) return
      clearInterval(timer)
      for (const list of Object.values(latencies)) list.sort((a, b) => a - b)
      process.send?.({ sent, broken, latencies })
    }, 1)
  }

  for (let at = 0; at < 20 && toOpen > 0; at += 1) openAll()
}
