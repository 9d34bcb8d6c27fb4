import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

interface Response {
  status: number
  headers: IncomingHttpHeaders
  body: string
  ms: number
}

export interface Client {
  /** Rejects if there is no complete response within `timeoutMs`. */
  send(
    method: string,
    path: string,
    options?: { body?: unknown; timeoutMs?: number; headers?: Record<string, string> },
  ): Promise<Response>
  close(): void
}

/** A well-behaved client with an address of its own on loopback. */
export function createClient(
  port: number,
  { localAddress = '127.0.0.1', connections = 8, keepAlive = true } = {},
): Client {
  const agent = new Agent({ keepAlive, maxSockets: connections, localAddress })
  return {
    send: (method, path, { body, timeoutMs = 30_000, headers: extra = {} } = {}) =>
      new Promise((resolve, reject) => {
        const start = performance.now()
        const bytes = body === undefined ? undefined : JSON.stringify(body)
        const headers =
          bytes === undefined
            ? extra
            : { ...extra, 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }
        const outgoing = request(
          { host: '127.0.0.1', port, path, method, headers, agent, timeout: timeoutMs },
          response => {
            let text = ''
            response.setEncoding('utf8')
            response.on('data', chunk => {
              text += chunk
            })
            response.on('error', reject)
            response.on('end', () =>
              resolve({
                status: response.statusCode ?? 0,
                headers: response.headers,
                body: text,
                ms: performance.now() - start,
              }),
            )
          },
        )
        outgoing.on('timeout', () => outgoing.destroy(new Error(`no response within ${timeoutMs} ms`)))
        outgoing.on('error', reject)
        outgoing.end(bytes)
      }),
    close: () => agent.destroy(),
  }
}

/** Sends bytes exactly as given and collects what comes back until the server closes or `waitMs` have passed. */
export function sendBytes(
  port: number,
  bytes: string | Buffer,
  { localAddress = '127.0.0.1', waitMs = 1_000, keepMax = 1_000_000 } = {},
): Promise<{ text: string; isClosed: boolean }> {
  return new Promise(resolve => {
    let text = ''
    const socket = connect({ host: '127.0.0.1', port, localAddress })
    const finish = (isClosed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text, isClosed })
    }
    const timer = setTimeout(finish, waitMs, false)
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', chunk => {
      if (text.length < keepMax) text += chunk.toString('latin1')
    })
    socket.on('error', () => finish(true))
    socket.on('close', () => finish(true))
  })
}

const HEALTH_PERIOD_MS = 25

/** Asks for `/healthz` again and again, as another client, while the attack runs. Returns the longest wait. */
export async function watchHealth(
  port: number,
  attack: () => Promise<unknown>,
): Promise<{ longestMs: number; failures: number }> {
  const client = createClient(port, { localAddress: '127.7.7.7', keepAlive: false })
  let isOver = false
  let longestMs = 0
  let failures = 0
  const watching = (async () => {
    while (!isOver) {
      const start = performance.now()
      try {
        const { status } = await client.send('GET', '/healthz')
        if (status !== 200) failures += 1
      } catch {
        failures += 1
      }
      longestMs = Math.max(longestMs, performance.now() - start)
      await sleep(HEALTH_PERIOD_MS)
    }
  })()
  try {
    await attack()
  } finally {
    isOver = true
    await watching
    client.close()
  }
  return { longestMs, failures }
}
