import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { refuseSocket } from './client-error.ts'

const STALLED_MS = 60_000

/** The server that listens, with the time-outs and manners that the framework leaves to us. */
export function createListener(serve: RequestListener, busySockets: () => ReadonlySet<Socket>): Server {
  const server = createServer(
    {
      requestTimeout: 30_000,
      headersTimeout: 15_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
      // Refused at the front door, in shape.
      requireHostHeader: false,
    },
    serve,
  )
  // A reader that takes nothing for so long, or a connection on which nothing happens, holds what it was sent no longer.
  server.timeout = STALLED_MS
  // An expectation that we do not know is no reason not to answer.
  server.on('checkExpectation', serve)
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    refuseSocket(socket, `CONNECT ${request.url}`, 'BAD_REQUEST')
  })

  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  // Node takes a connection for idle once its response was written, though most of it may still wait for a slow
  // reader; closing calls this, and would cut that reader off.
  server.closeIdleConnections = () => {
    const busy = busySockets()
    for (const socket of open) {
      if (!busy.has(socket) && socket.writableLength === 0) socket.destroy()
    }
  }
  return server
}
