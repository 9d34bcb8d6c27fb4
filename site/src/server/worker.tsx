import { AsyncLocalStorage } from 'node:async_hooks'
import { parentPort, workerData } from 'node:worker_threads'
import { createApiFetch } from './api-fetch.ts'
import { encodePage } from './encode-page.ts'
import { ERROR_PAGE_STATUSES, type FromWorker, type ToWorker, type WorkerSettings } from './protocol.ts'
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
