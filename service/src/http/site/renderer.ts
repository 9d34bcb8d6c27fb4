import type { EncodedPage, ErrorPageStatus } from '@slipway/site/protocol'
import { pathOf } from '../../endpoint/parse-url.ts'
import { hasNetworkPlace, networkOf } from '../../lib/client-network.ts'
import { createLru } from '../../lib/create-lru.ts'
import { NotReady } from '../../telemetry/readiness.ts'
import {
  type EndReason,
  type PageTask,
  type PageThread,
  type RenderedPage,
  startPageThread,
  type ThreadLimits,
  type ThreadParts,
} from './page-thread.ts'

export interface Renderer {
  /**
   * Throws `PageRefused` if the page can't be taken, and rejects if it can't be rendered. The client is the key that
   * its requests are counted under.
   */
  render(url: string, client: string): Promise<RenderedPage>
  /** Undefined until a thread is ready for the first time. */
  errorPage(status: ErrorPageStatus): EncodedPage | undefined
  /** One line about the thread; throws if there has been no thread for some time. */
  describe(): string
  close(): Promise<void>
}

export interface RenderObserver {
  onRendered(outcome: 'ok' | 'failed', seconds: number): void
  /** After every change. */
  onWaiting(pages: number): void
  onRefused(reason: RefusalReason): void
  onThreadEnded(reason: EndReason): void
  onFailed(error: unknown): void
}

/**
 * `client`: it already has too many pages. `total`: all clients together do. `broken`: the page has recently ended a
 * thread. `late`: no thread could take it in time.
 */
export type RefusalReason = 'client' | 'total' | 'broken' | 'late'

/** A page that was refused instead of rendered. Trying again later may help. */
export class PageRefused extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason) {
    super(`a page was refused: ${reason}`)
    this.reason = reason
  }
}

/**
 * For all clients together: pages rendered at a time, and in all. Further requests would wait too long to be useful.
 */
const AT_ONCE_MAX = 16
const PAGES_MAX = 64
/**
 * For one client: a person opens a few pages at a time. Pages that only wait for the API must not hold up other
 * clients' pages.
 */
const AT_ONCE_PER_CLIENT_MAX = 4
const PAGES_PER_CLIENT_MAX = 16

const LIMITS = {
  startMs: 30_000,
  /** Longer than the slowest API answer. */
  pageMs: 15_000,
  /** Rendering a page takes milliseconds. A thread that works this long will not finish. */
  silentMs: 5_000,
  waitMs: 10_000,
  /** A thread that ended without a page to blame may end again at once. */
  restartMs: 1_000,
  /** How long a page is refused after it has ended a thread. */
  brokenMs: 30_000,
  missingMs: 10_000,
}
export type RenderLimits = typeof LIMITS & ThreadLimits
/** Bounds the memory. */
const BROKEN_MAX = 1_000

interface Page extends PageTask {
  startMs: number
  /**
   * It was being rendered when a thread ended. It is rendered once more, alone, to see whether it ends the thread
   * again.
   */
  isSuspect: boolean
  timer: NodeJS.Timeout | undefined
  reject(error: Error): void
}

/**
 * Renders pages in a worker thread, so that the API keeps answering however long a page takes. When a thread ends,
 * the next one takes over the unfinished pages, except for a page that ended the thread.
 */
export function createRenderer({
  observer,
  limits: given,
  ...parts
}: Omit<ThreadParts, 'limits'> & { observer: RenderObserver; limits?: Partial<RenderLimits> }): Renderer {
  const limits = { ...LIMITS, ...given }
  let waiting: Page[] = []
  const rendering = new Set<Page>()
  /** By path, so that varying the query does not get around it. */
  const broken = createLru<string, true>(BROKEN_MAX, { ttl: limits.brokenMs })
  let errorPages: Partial<Record<ErrorPageStatus, EncodedPage>> = {}
  let restarts = 0
  let isClosed = false
  let thread: PageThread | undefined
  let missingSinceMs = performance.now()
  start()

  function start() {
    if (isClosed) return
    thread = startPageThread(
      { ...parts, limits },
      {
        onReady(pages) {
          errorPages = pages
          startNext()
        },
        onFailed: observer.onFailed,
        onEnded: ended,
      },
    )
  }

  function ended(reason: EndReason, unfinished: PageTask[]) {
    const wasReady = thread?.isReady === true
    if (wasReady) missingSinceMs = performance.now()
    thread = undefined
    restarts += 1
    observer.onThreadEnded(reason)
    const left = unfinished as Page[]
    rendering.clear()
    const [only] = left
    // A thread that dies while it renders one page may have died for another reason. A thread that hangs can't.
    if (only && left.length === 1 && (reason === 'hung' || only.isSuspect)) {
      broken.set(pathOf(only.url), true)
      only.onFailed(new Error(`the page thread ${reason} while it rendered ${pathOf(only.url)}`))
    } else {
      for (const page of left) page.isSuspect = true
      wait(left, 'first')
    }
    if (wasReady && left.length > 0) start()
    else setTimeout(start, limits.restartMs).unref()
  }

  function wait(pages: Page[], place: 'first' | 'last') {
    for (const page of pages)
      page.timer = setTimeout(() => {
        waiting = waiting.filter(other => other !== page)
        observer.onRefused('late')
        observer.onWaiting(waiting.length)
        page.reject(new PageRefused('late'))
      }, limits.waitMs).unref()
    waiting = place === 'first' ? [...pages, ...waiting] : [...waiting, ...pages]
    observer.onWaiting(waiting.length)
  }

  function startNext() {
    for (let page = findNext(); page; page = findNext()) {
      waiting.splice(waiting.indexOf(page), 1)
      clearTimeout(page.timer)
      rendering.add(page)
      page.startMs = performance.now()
      thread?.render(page)
    }
    observer.onWaiting(waiting.length)
  }

  function findNext(): Page | undefined {
    const isAlone = [...rendering].some(({ isSuspect }) => isSuspect)
    if (!thread?.isReady || isAlone || rendering.size >= AT_ONCE_MAX) return undefined
    const next = waiting.find(({ client }) =>
      hasPlace(client, rendering, [AT_ONCE_PER_CLIENT_MAX, AT_ONCE_MAX]),
    )
    return next?.isSuspect && rendering.size > 0 ? undefined : next
  }

  function findRefusal(url: string, client: string): RefusalReason | undefined {
    if (broken.has(pathOf(url))) return 'broken'
    const pages = [...waiting, ...rendering]
    if (!hasPlace(client, pages, [PAGES_PER_CLIENT_MAX, PAGES_MAX])) return 'client'
    return pages.length >= PAGES_MAX ? 'total' : undefined
  }

  function addPage(url: string, client: string): Promise<RenderedPage> {
    return new Promise((resolve, reject) => {
      const finish = (page: Page, outcome: 'ok' | 'failed') => {
        rendering.delete(page)
        observer.onRendered(outcome, (performance.now() - page.startMs) / 1_000)
        startNext()
      }
      const page: Page = {
        url,
        client,
        startMs: 0,
        isSuspect: false,
        timer: undefined,
        reject,
        onRendered(rendered) {
          resolve(rendered)
          finish(page, 'ok')
        },
        onFailed(error) {
          observer.onFailed(error)
          reject(error)
          finish(page, 'failed')
        },
      }
      wait([page], 'last')
      startNext()
    })
  }

  return {
    render(url, client) {
      const refusal = isClosed ? 'late' : findRefusal(url, client)
      if (!refusal) return addPage(url, client)
      observer.onRefused(refusal)
      throw new PageRefused(refusal)
    },
    errorPage: status => errorPages[status],
    describe() {
      const times = `${restarts} ${restarts === 1 ? 'restart' : 'restarts'}`
      if (thread?.isReady)
        return `${rendering.size} pages being rendered, ${waiting.length} waiting, ${times}`
      if (performance.now() - missingSinceMs < limits.missingMs) return `starting, ${times}`
      throw new NotReady(`the page thread does not start, ${times}`)
    },
    async close() {
      isClosed = true
      for (const page of [...waiting, ...rendering]) {
        clearTimeout(page.timer)
        page.reject(new PageRefused('late'))
      }
      waiting = []
      await thread?.close()
    },
  }
}

/** Whether the client and its network both have less than their share of the pages. */
function hasPlace(client: string, pages: Iterable<Page>, [perClient, total]: [number, number]): boolean {
  const clients = Array.from(pages, page => page.client)
  const free = total - clients.length
  const countOf = (network: string) => clients.filter(other => networkOf(other) === network).length
  if (clients.filter(other => other === client).length >= perClient) return false
  return hasNetworkPlace(client, { perClient, free, countOf })
}
