import { Worker } from 'node:worker_threads'
import type {
  EncodedPage,
  ErrorPageStatus,
  FromWorker,
  PageFiles,
  SiteSettings,
  ToWorker,
  WorkerSettings,
} from '@slipway/site/protocol'
import type { LocalApi } from './local-api.ts'
import { FILES_PATH, type SiteBuild } from './site-build.ts'

export interface RenderedPage {
  status: number
  page: EncodedPage
}

interface Renderer {
  /** Rejects if the page can't be rendered now. */
  render(url: string): Promise<RenderedPage>
  /** Undefined until the worker is ready for the first time. */
  errorPage(status: ErrorPageStatus): EncodedPage | undefined
  /** Resolves when the worker is ready. */
  ready: Promise<void>
  close(): Promise<void>
}

/** A page takes milliseconds; one that takes this long will not end. */
const RENDER_MS_MAX = 5_000
/** Further requests wait too long to be useful. */
const WAITING_MAX = 64
const RESTART_MS = 1_000
/** The thread has its own heap. Without a limit, it could take all the memory of the service. */
const HEAP_MB_MAX = 512

/** Renders pages in a worker thread: however long that takes, the API is answered in the meantime. */
export function createRenderer({
  build,
  settings,
  api,
  onFailed,
}: {
  build: SiteBuild
  settings: SiteSettings
  api: LocalApi
  onFailed(error: unknown): void
}): Renderer {
  const waiting = new Map<number, { resolve(page: RenderedPage): void; reject(error: Error): void }>()
  let errorPages: Partial<Record<ErrorPageStatus, EncodedPage>> = {}
  let count = 0
  let isClosed = false
  let isReady = () => {}
  const ready = new Promise<void>(resolve => {
    isReady = resolve
  })
  let worker = start()

  function start(): Worker {
    const workerData: WorkerSettings = { settings, files: listFiles(build) }
    const started = new Worker(build.worker, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
      env: {},
    })
    started.unref()
    started.on('message', (message: FromWorker) => receive(started, message))
    started.on('error', onFailed)
    started.on('exit', () => {
      for (const { reject } of waiting.values()) reject(new Error('the thread that renders pages has ended'))
      waiting.clear()
      if (!isClosed) setTimeout(restart, RESTART_MS).unref()
    })
    return started
  }

  function restart() {
    if (!isClosed) worker = start()
  }

  function receive(from: Worker, message: FromWorker) {
    if (message.kind === 'ready') {
      errorPages = message.errorPages
      return isReady()
    }
    if (message.kind === 'request') return void answer(from, message)
    const waiter = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.kind === 'failed') waiter?.reject(new Error(message.reason))
    else waiter?.resolve({ status: message.status, page: message.page })
  }

  async function answer(to: Worker, { id, url, etag }: { id: number; url: string; etag?: string }) {
    const { parts, ...found } = await api(url, etag)
    // A copy of its own, because the thread takes it over.
    const body = Uint8Array.from(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts))
    const message: ToWorker = { kind: 'answer', id, ...found, body }
    to.postMessage(message, [body.buffer])
  }

  return {
    ready,
    errorPage: status => errorPages[status],
    render(url) {
      if (waiting.size >= WAITING_MAX) return Promise.reject(new Error('too many pages are being rendered'))
      count += 1
      const id = count
      return new Promise<RenderedPage>((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        worker.postMessage({ kind: 'render', id, url } satisfies ToWorker)
        setTimeout(() => {
          if (!waiting.delete(id)) return
          reject(new Error(`a page took more than ${RENDER_MS_MAX} ms`))
          // The thread may never come back by itself.
          void worker.terminate()
        }, RENDER_MS_MAX).unref()
      })
    },
    async close() {
      isClosed = true
      await worker.terminate()
    },
  }
}

function listFiles({ manifest }: SiteBuild): PageFiles {
  const urlOf = (name: string) => `${FILES_PATH}/${name}`
  return {
    script: urlOf(manifest.script),
    themeScript: urlOf(manifest.themeScript),
    icon: urlOf(manifest.icon),
    preview: urlOf(manifest.preview),
    styles: manifest.styles.map(urlOf),
    fonts: manifest.fonts.map(urlOf),
  }
}
