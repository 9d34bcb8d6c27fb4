import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'

export interface LoadOptions {
  port: number
  /** The bytes of one request, or of several, which are sent one after another. */
  request: string | string[]
  seconds: number
  connections: number
  /**
   * Requests that find no free connection are not sent. Without a rate, every connection sends its next request at
   * once.
   */
  perSecond?: number
  /** Different client addresses on loopback that the connections come from. */
  clients?: number
}

interface LoadResult {
  /** Connections that broke before the answer. */
  broken: number
  /** Milliseconds from sending to the complete response, by status. */
  times: Record<string, number[]>
}

const CLIENTS = 32
const ANSWER_MS_MAX = 5_000

/** Sends load from another process, so that the delays of this one are not in the figures. */
export function startLoadProcess() {
  const child = fork(fileURLToPath(new URL('main.js', import.meta.url)), ['load'])
  return {
    send: (options: LoadOptions): Promise<LoadResult> =>
      new Promise((resolve, reject) => {
        child.once('message', resolve)
        child.once('exit', code => reject(new Error(`the load process exited with code ${code}`)))
        child.send(options)
      }),
    stop: () => child.kill(),
  }
}

export function runLoadProcess() {
  process.on('message', async (options: LoadOptions) => void process.send?.(await sendLoad(options)))
  process.on('disconnect', () => process.exit())
}

async function sendLoad(options: LoadOptions): Promise<LoadResult> {
  const { seconds, perSecond, connections } = options
  const requests = [options.request].flat()
  const result: LoadResult = { broken: 0, times: {} }
  const all: Connection[] = []
  let unanswered = 0
  // One after another: the system would make some of too many new connections wait for seconds.
  while (all.length < connections) {
    const connection = await openConnection(options, all.length, answer => {
      unanswered -= 1
      if (!answer) {
        result.broken += 1
        return
      }
      result.times[answer.status] ??= []
      result.times[answer.status]?.push(answer.ms)
      free.push(connection)
    })
    all.push(connection)
  }
  const free = [...all]
  const startMs = performance.now()
  const endMs = startMs + seconds * 1_000
  await new Promise<void>(resolve => {
    let due = 0
    const timer = setInterval(() => {
      const nowMs = performance.now()
      if (nowMs < endMs) {
        const target = perSecond === undefined ? due + free.length : ((nowMs - startMs) / 1_000) * perSecond
        for (; due < target; due += 1) {
          const connection = free.shift()
          if (!connection) continue
          unanswered += 1
          connection.send(requests[due % requests.length] as string)
        }
      } else if (unanswered === 0 || nowMs > endMs + ANSWER_MS_MAX) {
        clearInterval(timer)
        resolve()
      }
    }, 1)
  })
  for (const { close } of all) close()
  return result
}

interface Connection {
  send(request: string): void
  close(): void
}

/** Calls back after every response, and without one if the connection breaks before it. */
async function openConnection(
  { port, clients = CLIENTS }: LoadOptions,
  at: number,
  onAnswer: (answer?: { status: string; ms: number }) => void,
): Promise<Connection> {
  let sentMs = 0
  let received = ''
  const socket = connect({ host: '127.0.0.1', port, localAddress: `127.2.0.${1 + (at % clients)}` })
  socket.setNoDelay()
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received += chunk
    const head = received.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
    if (head === -1 || received.length < head + 4 + length) return
    const answer = { status: received.slice(9, 12), ms: performance.now() - sentMs }
    received = ''
    sentMs = 0
    onAnswer(answer)
  })
  await once(socket, 'connect')
  socket.on('error', () => {})
  socket.on('close', () => {
    if (sentMs > 0) onAnswer()
  })
  return {
    send(request) {
      sentMs = performance.now()
      socket.write(request)
    },
    close: () => void socket.destroy(),
  }
}
