import type { Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { BODY_BYTES_MAX, createServerWithTimeouts, refusalReason } from './http-server.ts'
import { dispatch } from './json-rpc.ts'
import type { createSubscriptionHub } from './subscriptions.ts'

const PING_MS = 15_000
// A client this far behind will not catch up. It is disconnected before its messages fill the memory.
const BACKLOG_BYTES_MAX = 16 * 1024 * 1024

/** JSON-RPC over WebSocket: subscriptions only, as on a node. */
export function createWsServer(options: {
  hub: ReturnType<typeof createSubscriptionHub>
  allowOrigins: readonly string[]
  onError: (error: unknown) => void
  pingMs?: number
}): { server: Server; close(): void } {
  const { hub, allowOrigins, onError, pingMs = PING_MS } = options
  const server = createServerWithTimeouts((_, response) => {
    response.writeHead(426, { 'content-type': 'text/plain', upgrade: 'websocket' })
    response.end('This port speaks WebSocket.\n')
  })
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: BODY_BYTES_MAX,
    perMessageDeflate: false,
  })

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const refused = refusalReason(request, allowOrigins)
    if (refused) {
      // The server's timeouts no longer apply to this socket, so it is closed even if the client keeps it open.
      socket.end(
        `HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: ${refused.length}\r\n\r\n${refused}`,
        () => socket.destroy(),
      )
      return
    }
    sockets.handleUpgrade(request, socket, head, serve)
  })

  const alive = new WeakMap<WebSocket, boolean>()
  function serve(socket: WebSocket) {
    const send = (text: string) => {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > BACKLOG_BYTES_MAX) socket.terminate()
      else socket.send(text)
    }
    const connection = hub.connect(send)
    alive.set(socket, true)
    socket.on('pong', () => alive.set(socket, true))
    socket.on('message', (data, isBinary) => {
      alive.set(socket, true)
      const text = isBinary ? '' : data.toString()
      const response = dispatch(text, connection.call, onError)
      if (response !== undefined) send(response)
    })
    // Without a listener, a protocol error of one client would end the process. A close event follows.
    socket.on('error', () => {})
    socket.on('close', () => connection.close())
  }

  // A client whose machine is gone never closes its socket, but leaves pings unanswered.
  const heartbeat = setInterval(() => {
    for (const socket of sockets.clients) {
      if (!alive.get(socket)) socket.terminate()
      else {
        alive.set(socket, false)
        socket.ping()
      }
    }
  }, pingMs)
  heartbeat.unref()

  return {
    server,
    close() {
      clearInterval(heartbeat)
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
    },
  }
}
