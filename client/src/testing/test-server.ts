import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * A real HTTP server that answers as a test wants, and records its requests. It has a path of its own, because a
 * client of an earlier test may still be looking for a server that had the same port.
 */
export async function startTestServer(
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
) {
  const requests: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []
  const base = `/${randomUUID()}`
  const server = createServer(async (request, response) => {
    if (!request.url?.startsWith(base)) {
      response.writeHead(404).end()
      return
    }
    request.url = request.url.slice(base.length)
    let body = ''
    try {
      for await (const chunk of request) body += chunk
    } catch {
      // The caller has disconnected before it had sent everything.
      return
    }
    const { method = '', url = '', headers } = request
    requests.push({ method, url, headers, body })
    answer(request, response, requests.length)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`, requests, server }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
}
