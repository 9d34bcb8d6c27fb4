import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { refuseSocket } from './client-error.ts'
import type { Ingress } from './ingress.ts'

const STALLED_MS = 60_000

/** The Node server that listens, with the timeouts and the connection handling that Fastify leaves to us. */
export function createListener(
  handle: RequestListener,
  { connections, busySockets, flush }: Pick<Ingress, 'connections' | 'busySockets' | 'flush'>,
): Server {
  const server = createServer(
    {
      requestTimeout: 30_000,
      headersTimeout: 15_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 5_000,
      // The ingress refuses such a request, with the error body of its family.
      requireHostHeader: false,
    },
    handle,
  )
  // A client that reads nothing for this long is disconnected, and so is an idle connection.
  server.timeout = STALLED_MS
  // A request with an unknown expectation is answered like any other.
  server.on('checkExpectation', handle)
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // If earlier responses on the connection are pending, Node would write this into the middle of them.
    if (response.socket) response.writeContinue()
    handle(request, response)
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    // Node no longer handles this connection: an error without a listener would end the process.
    socket.on('error', () => socket.destroy())
    socket.on('timeout', () => socket.destroy())
    socket.resume()
    flush()
    refuseSocket(socket, `CONNECT ${request.url}`, 'BAD_REQUEST')
  })

  connections.guard(server)
  // Node considers a connection idle once its response is written, though most of it may still wait for a slow
  // client. Closing the server calls this, and would cut that client off.
  server.closeIdleConnections = () => {
    const busy = busySockets()
    for (const socket of connections.open()) {
      // A socket that can no longer be written to never becomes idle.
      const isBusy = busy.has(socket) && socket.writable
      if (!isBusy && socket.writableLength === 0) socket.destroy()
    }
  }
  return server
}
