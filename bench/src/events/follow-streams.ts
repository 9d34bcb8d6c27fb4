import { connect, type Socket } from 'node:net'

interface Streams {
  port: number
  path: string
  count: number
  perAddress: number
}

const EVENT = 'event: '
const sockets: Socket[] = []
const received: number[] = []
/** When the last stream had received this many events. */
const completedMs: number[] = []
/** How many streams have received their first, second and further events. */
const tally: number[] = []

/**
 * Runs in a process of its own: opens streams from many loopback addresses, and notes when all have received an
 * event.
 */
export async function openStreams({ port, path, count, perAddress }: Streams): Promise<{ refused: number }> {
  let refused = 0
  const waiting: Promise<void>[] = []
  for (let at = 0; at < count; at += 1) {
    const address = Math.floor(at / perAddress)
    const localAddress = `127.1.${address >> 8}.${address & 255}`
    waiting.push(
      new Promise((resolve, reject) => {
        const socket = connect({ host: '127.0.0.1', port, localAddress })
        const index = sockets.push(socket) - 1
        received[index] = 0
        socket.setEncoding('latin1')
        socket.once('error', reject)
        socket.once('data', (text: string) => {
          socket.off('error', reject)
          socket.on('error', () => {})
          if (!text.startsWith('HTTP/1.1 200')) refused += 1
          resolve()
          socket.on('data', (more: string) => note(index, more))
        })
        socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      }),
    )
    // The system's queue of new connections is short.
    if (at % 100 === 99) await Promise.all(waiting.splice(0))
  }
  await Promise.all(waiting)
  return { refused }
}

function note(index: number, text: string) {
  for (let at = text.indexOf(EVENT); at !== -1; at = text.indexOf(EVENT, at + 1)) {
    const number = (received[index] as number) + 1
    received[index] = number
    tally[number] = (tally[number] ?? 0) + 1
    if (tally[number] === sockets.length) completedMs[number] = Date.now()
  }
}

/** When the last stream received its event with this number; undefined until then. */
export async function findCompletion({ number }: { number: number }): Promise<number | undefined> {
  return completedMs[number]
}

/** Opens streams that are never read, from an address of their own. */
export async function openStuckStreams({ port, count }: Omit<Streams, 'path' | 'perAddress'>): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const socket = connect({ host: '127.0.0.1', port, localAddress: '127.2.0.1' })
    socket.on('error', () => {})
    socket.write('GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n')
  }
}
