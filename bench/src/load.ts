import { connect } from 'node:net'

export interface LoadResult {
  perSecond: number
  megabytesPerSecond: number
}

/** Keeps `connections` busy with one request each and counts whole responses. Runs in a process of its own. */
export async function generateLoad(options: {
  port: number
  request: string
  connections: number
  seconds: number
  warmUpSeconds: number
}): Promise<LoadResult> {
  let responses = 0
  let bytes = 0
  let isCounting = false
  const sockets = Array.from({ length: options.connections }, () => {
    const socket = connect(options.port, '127.0.0.1')
    socket.setNoDelay(true)
    let bodyLeft = -1
    let head = ''
    socket.on('connect', () => socket.write(options.request))
    socket.on('error', error => {
      throw error
    })
    socket.on('data', chunk => {
      if (isCounting) bytes += chunk.length
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
          bodyLeft = length && !text.startsWith('HTTP/1.1 304') ? Number(length[1]) : 0
        }
        const taken = Math.min(bodyLeft, chunk.length - offset)
        bodyLeft -= taken
        offset += taken
        if (bodyLeft === 0) {
          bodyLeft = -1
          if (isCounting) responses += 1
          socket.write(options.request)
        }
      }
    })
    return socket
  })
  await pause(options.warmUpSeconds)
  isCounting = true
  const start = performance.now()
  await pause(options.seconds)
  isCounting = false
  const seconds = (performance.now() - start) / 1_000
  for (const socket of sockets) socket.destroy()
  // Large responses are few: count the part of the last ones by their bytes.
  return { perSecond: responses / seconds, megabytesPerSecond: bytes / seconds / 1e6 }
}

const pause = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1_000))
