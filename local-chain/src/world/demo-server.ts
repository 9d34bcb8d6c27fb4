import type { IncomingMessage, ServerResponse } from 'node:http'
import { refusalReason } from '../rpc/guard.ts'
import { createServerWithTimeouts, listenOnLoopback, stopServer } from '../rpc/listen.ts'
import { demoDocuments } from './documents.ts'
import { createSocialNetwork, pathOf } from './social-network.ts'

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
