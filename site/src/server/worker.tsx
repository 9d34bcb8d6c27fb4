import { AsyncLocalStorage } from 'node:async_hooks'
import { parentPort, workerData } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { encodePage } from './build-page-html.ts'
import {
  type ApiAnswer,
  ERROR_PAGE_STATUSES,
  type FromWorker,
  type ToWorker,
  type WorkerSettings,
} from './protocol.ts'
import { createPageRenderer } from './render-page.tsx'

/** Renders pages in a thread of its own, so that rendering never delays an answer of the API. */
if (!parentPort) throw new Error('the site renders in a worker thread')
const port = parentPort
const send = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)
/** The page that a request to the API is for. Others may use its answer too. */
const current = new AsyncLocalStorage<number>()
const api = createApiFetch(request => send({ kind: 'request', page: current.getStore(), ...request }))
const renderer = createPageRenderer(workerData as WorkerSettings, api.fetch)

port.on('message', (message: ToWorker) => {
  if (message.kind === 'answer') return api.answered(message)
  return void current.run(message.id, () => render(message))
})

async function render({ id, url, version, lastEventId }: Extract<ToWorker, { kind: 'render' }>) {
  try {
    renderer.noteVersion(version)
    const { status, html } = await renderer.render(url, lastEventId)
    const page = encodePage(html)
    send({ kind: 'page', id, status, page }, [page.identity.buffer, page.gzip.buffer, page.br.buffer])
  } catch (error) {
    send({ kind: 'failed', id, reason: (error as Error).stack ?? `${error}` })
  }
}

const errorPages = Object.fromEntries(
  ERROR_PAGE_STATUSES.map(status => [status, encodePage(renderer.renderError(status))]),
) as Extract<FromWorker, { kind: 'ready' }>['errorPages']
send({ kind: 'ready', errorPages })

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
