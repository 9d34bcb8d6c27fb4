import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface RpcProxy {
  url: string
  /** All calls, in order. */
  calls: { method: string; params: unknown[] }[]
  /** The answer to send instead of forwarding the call; undefined forwards it, after a promise of it resolves. */
  behave: (
    method: string,
    params: unknown[],
  ) => { status: number; body: object | string } | 'hang' | undefined | Promise<undefined>
  count(method: string): number
  /** From now on, connections are refused. */
  stop(): void
}

/** A proxy in front of a node that records calls and can misbehave. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const proxy: RpcProxy = {
    url: '',
    calls: [],
    behave: () => undefined,
    count: method => proxy.calls.filter(call => call.method === method).length,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer((request, response) => {
    // A caller that disconnects before it has sent everything must not end the test process.
    answerTo(request, response).catch(() => request.socket.destroy())
  })
  async function answerTo(request: IncomingMessage, response: ServerResponse) {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    const { id, method, params } = JSON.parse(body.toString())
    proxy.calls.push({ method, params })
    const instead = await proxy.behave(method, params)
    if (instead === 'hang') return
    if (instead) {
      const answer = typeof instead.body === 'string' ? instead.body : JSON.stringify({ id, ...instead.body })
      return void response.writeHead(instead.status).end(answer)
    }
    const headers = { 'Content-Type': 'application/json' }
    const answer = await fetch(target, { method: 'POST', headers, body }).catch(() => undefined)
    // As if the node were down.
    if (!answer) return void response.socket?.destroy()
    response.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()))
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(proxy.stop)
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}
