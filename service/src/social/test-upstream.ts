import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type Reply = (response: ServerResponse, request: IncomingMessage) => unknown

export const sendUser = (username: unknown) => sendJson(200, { data: { id: '1', name: 'x', username } })

export const sendJson = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  sendText(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers })

export const sendText =
  (status: number, text: string, headers: Record<string, string> = {}): Reply =>
  response =>
    response.writeHead(status, headers).end(text)

/**
 * A social network over real HTTP whose responses the test chooses. `onEnd` registers its closing, by default for the
 * end of the test.
 */
export async function startUpstream(reply: Reply, onEnd: (close: () => void) => void = onTestFinished) {
  const calls: { method: string; url: string; authorization: string | undefined; accept: string }[] = []
  const sockets = new Set<Socket>()
  let opened = 0
  const upstream = {
    url: '',
    calls,
    reply,
    /** The number of connections opened so far. */
    opened: () => opened,
  }
  const server = createServer((request, response) => {
    const { authorization, accept = '' } = request.headers
    calls.push({ method: request.method ?? '', url: request.url ?? '', authorization, accept })
    upstream.reply(response, request)
  })
  server.on('connection', socket => {
    opened += 1
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onEnd(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  upstream.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return upstream
}
