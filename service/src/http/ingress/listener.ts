import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { refuseSocket } from './client-error.ts'
import type { FrontDoor } from './ingress.ts'

const STALLED_MS = 60_000

/** The server that listens, with the time-outs and manners that the framework leaves to us. */
export function createListener(
  serve: RequestListener,
  { busySockets, sendWaiting }: Pick<FrontDoor, 'busySockets' | 'sendWaiting'>,
): Server {
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
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // Behind other requests of its connection Node would write this into the midst of their answers.
    if (response.socket) response.writeContinue()
    serve(request, response)
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    // From here on Node looks after this connection no longer: an error that nobody hears would end the process.
    socket.on('error', () => socket.destroy())
    socket.on('timeout', () => socket.destroy())
    socket.resume()
    sendWaiting()
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
      // What cannot be written to any more is waited for in vain.
      const isBusy = busy.has(socket) && socket.writable
      if (!isBusy && socket.writableLength === 0) socket.destroy()
    }
  }
  return server
}
