import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { PORT_OFFSETS } from '../ports.ts'
import { StartError } from '../start-error.ts'
import { type CallHandler, dispatch } from './json-rpc.ts'

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

/** An HTTP server that disconnects clients that send nothing or stop in the middle of a request. */
export function createServerWithTimeouts(listener: RequestListener): Server {
  const server = createServer({ connectionsCheckingInterval: 1_000 }, listener)
  server.headersTimeout = 10_000
  server.requestTimeout = 20_000
  server.keepAliveTimeout = 60_000
  return server
}

export const stopServer = (server: Server): Promise<void> =>
  new Promise(resolve => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

/**
 * Listens on loopback only, whatever `HOST` says: anyone who can reach this server can create lamports. `hint` is the
 * end of the error message for a port that is not available.
 */
export function listenOnLoopback(
  server: Server,
  port: number,
  hint = `set LOCAL_CHAIN_PORT to another port n, where ${listPorts()} are free`,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EACCES')
        return reject(
          new StartError(
            `Port ${port} needs privileges that this user lacks: use one above 1023, or ${hint}.`,
          ),
        )
      if (error.code !== 'EADDRINUSE') return reject(error)
      reject(new StartError(`Port ${port} is in use. Stop the process that listens there, or ${hint}.`))
    })
    server.listen({ port, host: '127.0.0.1' }, () => resolve((server.address() as AddressInfo).port))
  })
}

function listPorts(): string {
  const names = PORT_OFFSETS.map(offset => (offset === 0 ? 'n' : `n+${offset}`))
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Why a request is refused, or undefined. Any page in a browser on this machine can reach a loopback server: the `Host`
 * check stops names that resolve to loopback (DNS rebinding), and the `Origin` check stops pages of other sites.
 */
export function refusalReason(request: IncomingMessage, allowOrigins: readonly string[]): string | undefined {
  if (!isLoopbackHost(request.headers.host)) return 'Provided Host header is not whitelisted.\n'
  const { origin } = request.headers
  if (origin !== undefined && !isAllowedOrigin(origin, allowOrigins)) {
    return 'Origin of the request is not whitelisted. CORS headers would not be sent and any side-effects were cancelled as well.\n'
  }
  return undefined
}

function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined) return false
  return LOOPBACK.has(host.replace(/:\d+$/, '').toLowerCase())
}

function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  if (allowed.includes(origin)) return true
  try {
    return LOOPBACK.has(new URL(origin).hostname)
  } catch {
    return false
  }
}
