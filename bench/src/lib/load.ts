import { connect, type Socket } from 'node:net'
import type { Child, Usage } from './child.ts'

export interface LoadOptions {
  port: number
  request: string | string[]
  connections: number
  seconds: number
  warmUpSeconds: number
}

export interface LoadResult {
  /** Responses per second during the measurement, including the received parts of unfinished ones. */
  perSecond: number
  /** The number of all responses, including the warm-up. */
  responses: number
}

const READ_BYTES = 1024 * 1024

/**
 * Keeps `connections` busy with one request each and counts whole responses. Runs in a process of its own. If there
 * are several requests, each is sent once, and the load ends early after the last of them.
 */
export async function generateLoad(options: LoadOptions): Promise<LoadResult> {
  const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
  let responses = 0
  let counted = 0
  let isCounting = false
  const queue = typeof options.request === 'string' ? undefined : options.request.values()
  let open = options.connections
  let onSpent = () => {}
  const spent = new Promise<void>(resolve => {
    onSpent = resolve
  })
  const send = (socket: Socket) => {
    const request = queue ? queue.next().value : (options.request as string)
    if (request !== undefined) socket.write(request)
    else if (--open === 0) onSpent()
  }
  const sockets = Array.from({ length: options.connections }, () => {
    let bodyLeft = -1
    let bodyLength = 0
    let head = ''
    const read = (chunk: Buffer) => {
      let offset = 0
      while (offset < chunk.length) {
        if (bodyLeft < 0) {
          const text = head + chunk.toString('latin1', offset, Math.min(chunk.length, offset + 4_096))
          const end = text.indexOf('\r\n\r\n')
          if (end === -1) {
            head = text
            return
          }
          offset += end + 4 - head.length
          head = ''
          const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, end + 2))
          bodyLength = length && !text.startsWith('HTTP/1.1 304') ? Number(length[1]) : 0
          bodyLeft = bodyLength
        }
        const taken = Math.min(bodyLeft, chunk.length - offset)
        bodyLeft -= taken
        offset += taken
        // Large responses are few, so an unfinished one counts for the part that has arrived.
        if (isCounting) counted += bodyLength > 0 ? taken / bodyLength : 1
        if (bodyLeft === 0) {
          bodyLeft = -1
          responses += 1
          send(socket)
        }
      }
    }
    const socket = connect({
      port: options.port,
      host: '127.0.0.1',
      noDelay: true,
      // Reads into the same buffer every time, because the load must cost less than what it measures.
      onread: {
        buffer,
        callback(bytes) {
          read(buffer.subarray(0, bytes))
          return true
        },
      },
    })
    socket.on('connect', () => send(socket))
    socket.on('error', error => {
      throw error
    })
    return socket
  })
  await pause(options.warmUpSeconds)
  isCounting = true
  const start = performance.now()
  await Promise.race([pause(options.seconds), spent])
  isCounting = false
  const seconds = (performance.now() - start) / 1_000
  for (const socket of sockets) socket.destroy()
  return { perSecond: counted / seconds, responses }
}

const pause = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1_000))

export interface ChildServer {
  child: Child
  port: number
}

export interface LoadSample {
  perSecond: number
  /** The server's CPU time per response. */
  cpuMicros: number
}

/** Loads a server from another process and measures the server's rate and CPU time. */
export async function measureLoad(
  load: Child,
  { child, port }: ChildServer,
  options: Omit<LoadOptions, 'port'>,
): Promise<LoadSample> {
  const before = await child.call<Usage>('usage', null)
  const { perSecond, responses } = await load.call<LoadResult>('generateLoad', { port, ...options })
  const after = await child.call<Usage>('usage', null)
  return { perSecond, cpuMicros: (after.cpuMicros - before.cpuMicros) / responses }
}
