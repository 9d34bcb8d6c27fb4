import { type EncodedPage, ERROR_PAGE_STATUSES, type ErrorPageStatus } from '@slipway/site/protocol'
import { resultWithin } from '../../lib/deadline.ts'
import { pause } from '../../lib/pause.ts'
import type { RenderedPage } from './page-thread.ts'
import { PageRefused, type Renderer } from './renderer.ts'

type ErrorPages = Partial<Record<ErrorPageStatus, EncodedPage>>

/** The calls that the rendering worker answers for the others. */
export interface RenderAnswers {
  render(page: { url: string; client: string }): Promise<RenderedPage>
  errorPages(): Promise<ErrorPages>
}

/** How the workers share one renderer. */
export interface SharedRendering {
  /** Asks the worker that renders, which may be this one. */
  ask: RenderAnswers
  /** Registers the calls that this worker can answer. */
  onReady(answers: RenderAnswers): void
}

/** Longer than a page may wait and render. */
const ASK_MS_MAX = 30_000
const LOOK_MS = 100

/** A renderer that delegates to the one rendering worker, which starts its renderer at the first request. */
export function shareRenderer(start: () => Renderer, { ask, onReady }: SharedRendering): Renderer {
  const closed = new AbortController()
  let own: Renderer | undefined
  let errorPages: ErrorPages = {}
  const findOwn = () => {
    if (closed.signal.aborted) throw new PageRefused('late')
    own ??= start()
    return own
  }
  onReady({
    render: async ({ url, client }) => findOwn().render(url, client),
    async errorPages() {
      while (!findOwn().errorPage(404)) await pause(LOOK_MS, closed.signal)
      return Object.fromEntries(ERROR_PAGE_STATUSES.map(status => [status, own?.errorPage(status)]))
    },
  })
  void readErrorPages()

  async function readErrorPages() {
    while (!closed.signal.aborted && !errorPages[404]) {
      errorPages = await ask.errorPages().catch(() => ({}))
      if (!errorPages[404]) await pause(LOOK_MS, closed.signal)
    }
  }

  return {
    async render(url, client) {
      const page = await resultWithin(ASK_MS_MAX, ask.render({ url, client }))
      if (!page) throw new PageRefused('late')
      return page
    },
    errorPage: status => errorPages[status],
    describe: () => own?.describe() ?? 'not rendered by this worker',
    async close() {
      closed.abort()
      await own?.close()
    },
  }
}
