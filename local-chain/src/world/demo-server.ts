import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServerWithTimeouts, listenOnLoopback, refusalReason, stopServer } from '../rpc/http-server.ts'
import { demoDocuments } from './documents.ts'

type DemoServer = {
  readonly url: string
  close(): Promise<void>
}

/** Serves the demo's documents and images, and the stand-in social network under `/2`. Loopback only. */
export async function startDemoServer(options: {
  port: number
  /** The end of the error message for a port that is not available. */
  hint?: string
  allowOrigins?: readonly string[]
}): Promise<DemoServer> {
  const social = createSocialNetwork()
  let documents = new Map<string, { type: string; body: string }>()
  const server = createServerWithTimeouts((request, response) => {
    const refused = refusalReason(request, options.allowOrigins ?? [])
    if (refused) return send(response, request, 403, 'text/plain', refused)
    const pathname = pathOf(request)
    if (pathname.startsWith('/2/')) {
      const { status, body, headers } = social(request)
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      return send(response, request, status, 'application/json; charset=utf-8', JSON.stringify(body))
    }
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return send(response, request, 405, 'text/plain', '')
    const found = documents.get(pathname)
    if (!found) return send(response, request, 404, 'text/plain', 'Not found\n')
    response.setHeader('access-control-allow-origin', '*')
    // Pages of other origins open these images, which must not run scripts or load anything.
    response.setHeader('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    response.setHeader('cache-control', 'max-age=60')
    send(response, request, 200, `${found.type}; charset=utf-8`, found.body)
  })
  const port = await listenOnLoopback(server, options.port, options.hint)
  const url = `http://127.0.0.1:${port}`
  documents = demoDocuments(url)
  return { url, close: () => stopServer(server) }
}

function send(
  response: ServerResponse,
  request: IncomingMessage,
  status: number,
  type: string,
  body: string,
): void {
  request.resume()
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) })
  response.end(request.method === 'HEAD' ? undefined : body)
}

const LIMIT = 75
const WINDOW_MS = 15 * 60 * 1000
const TOKENS_MAX = 10_000

type SocialResponse = {
  readonly status: number
  readonly body: object
  readonly headers: Record<string, string>
}

/**
 * Stands in for the social network's `GET /2/users/me`, the only call that the service makes, with its errors and rate
 * limit. The token `demo-token-<username>` belongs to that user; all other tokens are invalid.
 */
function createSocialNetwork(now: () => number = Date.now) {
  const windows = new Map<string, { used: number; resetMs: number }>()

  return (request: IncomingMessage): SocialResponse => {
    if (pathOf(request) !== '/2/users/me') return problem(404, 'Not Found')
    if (request.method !== 'GET') return problem(405, 'Method Not Allowed')
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
    const username = /^demo-token-([A-Za-z0-9_]{1,15})$/.exec(token ?? '')?.[1]
    if (!username) return problem(401, 'Unauthorized')

    const at = now()
    let window = windows.get(username)
    if (!window || window.resetMs <= at) {
      if (windows.size >= TOKENS_MAX) windows.clear()
      window = { used: 0, resetMs: at + WINDOW_MS }
      windows.set(username, window)
    }
    window.used++
    const headers = {
      'x-rate-limit-limit': String(LIMIT),
      'x-rate-limit-remaining': String(Math.max(0, LIMIT - window.used)),
      'x-rate-limit-reset': String(Math.ceil(window.resetMs / 1000)),
    }
    if (window.used > LIMIT) return { ...problem(429, 'Too Many Requests'), headers }
    return { status: 200, body: { data: { id: idOf(username), name: username, username } }, headers }
  }
}

/** The path without the query. Not parsed with `new URL`, which throws for some paths such as `//`. */
const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] as string

const problem = (status: number, title: string): SocialResponse => ({
  status,
  body: { title, type: 'about:blank', status, detail: title },
  headers: {},
})

/** A stable id for a name, as long as a real one. */
function idOf(username: string): string {
  let value = 7n
  for (const letter of username.toLowerCase())
    value = (value * 131n + BigInt(letter.charCodeAt(0))) % 10n ** 18n
  return (10n ** 18n + value).toString()
}
