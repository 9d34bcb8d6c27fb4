import { gunzipSync } from 'node:zlib'
import type { ApiAnswer } from './protocol.ts'

/**
 * A `fetch` for the API of the service that this thread belongs to. It answers from its own memory, without a
 * network.
 */
export function createApiFetch(send: (request: { id: number; url: string; etag?: string }) => void) {
  const waiting = new Map<number, (answer: ApiAnswer) => void>()
  let count = 0

  async function ask(url: string, etag: string | null): Promise<Response> {
    count += 1
    const id = count
    const answer = await new Promise<ApiAnswer>(resolve => {
      waiting.set(id, resolve)
      send({ id, url, ...(etag && { etag }) })
    })
    return toResponse(answer)
  }

  return {
    fetch: async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const { pathname, search } = new URL(input instanceof Request ? input.url : input)
      return ask(pathname + search, new Headers(init?.headers).get('if-none-match'))
    },
    answered({ id, ...answer }: ApiAnswer & { id: number }) {
      waiting.get(id)?.(answer)
      waiting.delete(id)
    },
  }
}

function toResponse({ status, etag, error, encoding, body }: ApiAnswer): Response {
  const headers = new Headers({ 'Content-Type': 'application/json; charset=utf-8' })
  if (etag !== undefined) headers.set('ETag', etag)
  if (error !== undefined) headers.set('Slipway-Error', error)
  if (status === 304) return new Response(null, { status, headers })
  return new Response(encoding === 'gzip' ? Uint8Array.from(gunzipSync(body)) : body, { status, headers })
}
