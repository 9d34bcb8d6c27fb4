import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { type CallHandler, dispatch } from './dispatch.ts'
import { refusalReason } from './guard.ts'
import { createServerWithTimeouts } from './listen.ts'

// A node's own limit, far above what clients send.
export const BODY_BYTES_MAX = 50 * 1024

/** JSON-RPC over HTTP. A request that is not a JSON POST gets the same response as from a node. */
export function createHttpServer(options: {
  handle: CallHandler
  allowOrigins: readonly string[]
  onError: (error: unknown) => void
}): Server {
  const { handle, allowOrigins, onError } = options
  const server = createServerWithTimeouts((request, response) => {
    const refused = refusalReason(request, allowOrigins)
    if (refused) return send(response, 403, 'text/plain', refused)
    const { origin } = request.headers
    if (origin !== undefined) {
      response.setHeader('access-control-allow-origin', origin)
      response.setHeader('vary', 'origin')
    }
    if (request.method === 'OPTIONS') {
      response.setHeader('access-control-allow-methods', 'OPTIONS, POST')
      response.setHeader(
        'access-control-allow-headers',
        request.headers['access-control-request-headers'] ?? 'content-type',
      )
      response.setHeader('access-control-max-age', '600')
      return send(response, 204, 'text/plain', '')
    }
    if (request.method === 'GET' && request.url === '/health') return send(response, 200, 'text/plain', 'ok')
    if (request.method !== 'POST') {
      return send(
        response,
        405,
        'text/plain',
        'Used HTTP Method is not allowed. POST or OPTIONS is required\n',
      )
    }
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
      return send(
        response,
        415,
        'text/plain',
        'Supplied content type is not allowed. Content-Type: application/json is required\n',
      )
    }
    readBody(request, response, text => {
      const body = dispatch(text, handle, onError)
      send(response, 200, 'application/json; charset=utf-8', body ?? '')
    })
  })
  server.maxConnections = 1_000
  return server
}

function readBody(request: IncomingMessage, response: ServerResponse, done: (text: string) => void): void {
  const tooLarge = () => {
    response.setHeader('connection', 'close')
    send(response, 413, 'text/plain', 'Request body is too large.\n')
    request.removeAllListeners('data')
    request.resume()
  }
  if (Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX) {
    tooLarge()
    return
  }
  const chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > BODY_BYTES_MAX) {
      chunks.length = 0
      request.removeAllListeners('end')
      tooLarge()
    } else chunks.push(chunk)
  })
  request.on('end', () => done(Buffer.concat(chunks).toString()))
  // The client is gone.
  request.on('error', () => response.destroy())
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
