import { createServer, type Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import { dispatch } from './dispatch.ts'
import { refusal } from './guard.ts'
import { BODY_BYTES_MAX } from './http-server.ts'
import type { createSubscriptionHub } from './subscriptions.ts'

const PING_MS = 15_000
// A reader that lags this far behind will not catch up: it gets a closed socket instead of our memory.
const BACKLOG_BYTES_MAX = 16 * 1024 * 1024

/** JSON-RPC over WebSocket: subscriptions only, as on a node. */
export function createWsServer(options: {
  hub: ReturnType<typeof createSubscriptionHub>
  allowOrigins: readonly string[]
  onFault: (error: unknown) => void
  pingMs?: number
}): { server: Server; close(): void } {
  const { hub, allowOrigins, onFault, pingMs = PING_MS } = options
  const server = createServer((_, response) => {
    response.writeHead(426, { 'content-type': 'text/plain', upgrade: 'websocket' })
    response.end('This port speaks WebSocket.\n')
  })
  server.headersTimeout = 10_000
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: BODY_BYTES_MAX,
    perMessageDeflate: false,
  })

  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const refused = refusal(request, allowOrigins)
    if (refused) {
      socket.end(
        `HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: ${refused.length}\r\n\r\n${refused}`,
      )
      return
    }
    sockets.handleUpgrade(request, socket, head, serve)
  })

  const alive = new WeakMap<WebSocket, boolean>()
  function serve(socket: WebSocket) {
    const connection = hub.connect(text => {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > BACKLOG_BYTES_MAX) socket.terminate()
      else socket.send(text)
    })
    alive.set(socket, true)
    socket.on('pong', () => alive.set(socket, true))
    socket.on('message', (data, isBinary) => {
      alive.set(socket, true)
      const text = isBinary ? '' : data.toString()
      const answer = dispatch(text, connection.call, onFault)
      if (answer !== undefined && socket.readyState === socket.OPEN) socket.send(answer)
    })
    // Without a listener a protocol error of one peer would end the process. The close follows by itself.
    socket.on('error', () => {})
    socket.on('close', () => connection.close())
  }

  // A peer whose machine vanished never closes its socket: it is one that leaves a ping unanswered.
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
