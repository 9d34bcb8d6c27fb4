import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { createSafeFetch, FETCH_LIMITS, type FetchFor, type SafeFetchOptions } from './safe-fetch.ts'

interface TestWeb {
  port: number
  /** The host and path of each request. */
  requests: string[]
  /** The number of connections so far. */
  connections: number
}

/** Starts a web server on loopback that records its requests. Closed after the test. */
export async function startWeb(
  answer: RequestListener,
  tls?: { key: string; cert: string },
): Promise<TestWeb> {
  const server: Server = tls ? createTlsServer(tls) : createServer()
  const web: TestWeb = { port: 0, requests: [], connections: 0 }
  server.on('connection', () => {
    web.connections += 1
  })
  server.on('request', (request, response) => {
    web.requests.push(`${request.headers.host?.replace(/:\d+$/, '')}${request.url}`)
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  web.port = (server.address() as AddressInfo).port
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return web
}

/**
 * A safe fetch for which the names under `.open` act as public hosts: they resolve to loopback and are allowed to. Any
 * other name has the given addresses and is not exempt from any check.
 */
export function createTestFetch({
  names = {},
  limits,
  ...options
}: Partial<Omit<SafeFetchOptions, 'resolveHost'>> & { names?: Record<string, string[] | (() => string[])> }) {
  const lookups: string[] = []
  const open = ['a.open', 'b.open', 'c.open', 'd.open']
  const fetched: string[] = []
  const safeFetch = createSafeFetch({
    ...options,
    allowHosts: [...open, ...(options.allowHosts ?? [])],
    limits: { ...FETCH_LIMITS, timeoutMs: 2_000, ...limits },
    onFetched: outcome => void fetched.push(outcome),
    async resolveHost(name) {
      lookups.push(name)
      const known = names[name] ?? (open.includes(name) ? ['127.0.0.1'] : [])
      return typeof known === 'function' ? known() : known
    },
  })
  onTestFinished(() => safeFetch.close())
  return {
    ...safeFetch,
    lookups,
    fetched,
    get: (url: string, fetchOptions?: FetchFor) => safeFetch.fetch(new URL(url), fetchOptions),
  }
}

export const sendJson =
  (value: unknown): RequestListener =>
  (_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(value))
  }
