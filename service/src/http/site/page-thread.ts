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
import type { PageVersion } from './page-version.ts'
import { FILES_PATH, type SiteBuild } from './site-build.ts'

export interface RenderedPage {
  status: number
  page: EncodedPage
}

/** A page to render. One of the functions is called, unless the thread ends first. */
export interface PageTask {
  url: string
  /** The key that the client's requests are counted under. */
  client: string
  onRendered(page: RenderedPage): void
  onFailed(error: Error): void
}

/** Why a thread has ended: it hung in its work, or it ended by itself. */
export type EndReason = 'hung' | 'died'

/** One worker thread, with the pages that it renders now. It is not started again. */
export interface PageThread {
  readonly isReady: boolean
  render(task: PageTask): void
  close(): Promise<void>
}

export interface ThreadLimits {
  startMs: number
  /** For a page, from the start of rendering. When it is over, only this page is given up. */
  pageMs: number
  /** For the thread, from its last message while it has work. Counted in CPU time, so that a busy machine may be slow. */
  silentMs: number
}

/** A thread that waits for something uses no CPU time. After this many times `silentMs`, it hangs too. */
const WAITS_MAX = 4

/** The thread has its own heap. Without a limit, it could take all of the service's memory. */
const HEAP_MB_MAX = 512

export function startPageThread(
  { build, settings, api, version, limits }: ThreadParts,
  observer: {
    onReady(errorPages: Record<ErrorPageStatus, EncodedPage>): void
    onFailed(error: unknown): void
    /** The tasks that were not finished. Not called after `close`. */
    onEnded(reason: EndReason, unfinished: PageTask[]): void
  },
): PageThread {
  const tasks = new Map<number, { task: PageTask; timer: NodeJS.Timeout }>()
  let count = 0
  /** API answers that the thread is waiting for. While there are any, its silence means nothing. */
  let requests = 0
  let isReady = false
  let isClosed = false
  let reason: EndReason = 'died'

  const workerData: WorkerSettings = { settings, files: listFiles(build) }
  const worker = new Worker(build.worker, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    env: {},
  })
  worker.unref()
  worker.on('message', receive)
  worker.on('error', observer.onFailed)
  worker.on('exit', () => {
    clearTimeout(startTimer)
    clearTimeout(watchdog)
    for (const { timer } of tasks.values()) clearTimeout(timer)
    if (!isClosed)
      observer.onEnded(
        reason,
        [...tasks.values()].map(({ task }) => task),
      )
  })
  const startTimer = setTimeout(end, limits.startMs).unref()
  const watchdog = setTimeout(() => {
    if (tasks.size === 0 || requests > 0) return
    waits += 1
    if (waits < WAITS_MAX && cpuMs() - heardAtCpuMs < limits.silentMs) return void watchdog.refresh()
    // If the main thread was the busy one, a message may have arrived in the meantime.
    isHeard = false
    setImmediate(() => {
      if (!isHeard) end()
    })
  }, limits.silentMs).unref()
  let isHeard = false
  let heardAtCpuMs = 0
  let waits = 0

  function end() {
    reason = 'hung'
    void worker.terminate()
  }

  function noteLife() {
    isHeard = true
    heardAtCpuMs = cpuMs()
    waits = 0
    watchdog.refresh()
  }

  function receive(message: FromWorker) {
    noteLife()
    if (message.kind === 'request') return void answer(message)
    if (message.kind === 'ready') {
      isReady = true
      clearTimeout(startTimer)
      return observer.onReady(message.errorPages)
    }
    const task = take(message.id)
    if (message.kind === 'failed') task?.onFailed(new Error(message.reason))
    else task?.onRendered({ status: message.status, page: message.page })
  }

  function take(id: number): PageTask | undefined {
    const found = tasks.get(id)
    tasks.delete(id)
    clearTimeout(found?.timer)
    return found?.task
  }

  async function answer({ id, url, etag, page }: Extract<FromWorker, { kind: 'request' }>) {
    requests += 1
    const client = page === undefined ? undefined : tasks.get(page)?.task.client
    const { parts, ...found } = await api(url, { etag, client })
    requests -= 1
    noteLife()
    // A copy, because the thread takes ownership of it.
    const body = Uint8Array.from(parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts))
    worker.postMessage({ kind: 'answer', id, ...found, body } satisfies ToWorker, [body.buffer])
  }

  return {
    get isReady() {
      return isReady
    },
    render(task) {
      count += 1
      const id = count
      if (tasks.size === 0) noteLife()
      // The thread may be alive while the page waits for something that never comes.
      const timer = setTimeout(
        () => take(id)?.onFailed(new Error(`a page took more than ${limits.pageMs} ms`)),
        limits.pageMs,
      ).unref()
      tasks.set(id, { task, timer })
      worker.postMessage({
        kind: 'render',
        id,
        url: task.url,
        version: version.current(),
        lastEventId: version.lastEventId(),
      } satisfies ToWorker)
    },
    async close() {
      isClosed = true
      await worker.terminate()
    },
  }
}

export interface ThreadParts {
  build: SiteBuild
  settings: SiteSettings
  api: LocalApi
  version: Pick<PageVersion, 'current' | 'lastEventId'>
  limits: ThreadLimits
}

/** Of all threads: Node has no figure for one of them. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
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
    pages: Object.fromEntries(
      Object.entries(manifest.pages).map(([path, names = []]) => [path, names.map(urlOf)]),
    ),
  }
}
