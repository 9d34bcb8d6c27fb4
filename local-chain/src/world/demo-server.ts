import type { IncomingMessage, ServerResponse } from 'node:http'
import { refusal } from '../rpc/guard.ts'
import { createPatientServer, listenOnLoopback, stopServer } from '../rpc/listen.ts'
import { demoDocuments } from './documents.ts'
import { createSocialNetwork, pathOf } from './social-network.ts'

export type DemoServer = {
  readonly url: string
  close(): Promise<void>
}

/** Serves the demo's documents and pictures, and the stand-in social network under `/2`. Loopback only. */
export async function startDemoServer(options: {
  port: number
  /** What to do when that port cannot be had. */
  remedy?: string
  allowOrigins?: readonly string[]
}): Promise<DemoServer> {
  const social = createSocialNetwork()
  let documents = new Map<string, { type: string; body: string }>()
  const server = createPatientServer((request, response) => {
    const refused = refusal(request, options.allowOrigins ?? [])
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
    // A picture from here is opened in pages of other origins: it may draw, and do nothing else.
    response.setHeader('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    response.setHeader('cache-control', 'max-age=60')
    send(response, request, 200, `${found.type}; charset=utf-8`, found.body)
  })
  const port = await listenOnLoopback(server, options.port, options.remedy)
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
