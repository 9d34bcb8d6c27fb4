import { createSlipway, SlipwayError } from '@slipway/client'
import { hashKey, QueryClient, type QueryKey } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { App } from '../app.tsx'
import { findPage } from '../pages/find-page.ts'
import type { Head, LoadedPage, PageState } from '../pages/page.ts'
import { buildPageHtml } from './build-page-html.ts'
import type { ErrorPageStatus, WorkerSettings } from './protocol.ts'

/** How long an answer of the API is used for further pages, unless the data changes before that. */
const FRESH_MS = 2_000
/** Bounds the memory. */
const KEPT_MS = 10_000
/** Pages with times are the same for this long, so that a browser's conditional request can match. */
const MINUTE_MS = 60_000

/** Renders pages to HTML. All data is public, so pages share fetched answers. */
export function createPageRenderer(
  { settings, files }: WorkerSettings,
  fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>,
) {
  const slipway = createSlipway({
    // The path of the public URL is the proxy's, not the API's.
    url: 'http://service.invalid',
    fetch: fetch as typeof globalThis.fetch,
    retries: 0,
  })
  let version = 0
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        gcTime: KEPT_MS,
        retry: false,
        // A page must not use an answer that was requested before a change either.
        queryKeyHashFn: key => (isVersioned(key) ? `${version} ${hashKey(key)}` : hashKey(key)),
      },
    },
  })

  async function load(url: URL): Promise<LoadedPage> {
    const found = findPage(url.pathname)
    if (!found) return failed(404)
    try {
      const page = await found.part.load()
      return await page.load(
        { slipway, fetch, queryClient, settings, nowMs: Date.now() },
        found.params,
        url.searchParams,
      )
    } catch (error) {
      if (!(error instanceof SlipwayError)) throw error
      return failed(error.status === 404 ? 404 : 503)
    }
  }

  function toHtml(url: URL, loaded: LoadedPage, lastEventId?: string): string {
    const nowMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
    const state: PageState = {
      settings,
      nowMs,
      status: loaded.status ?? 200,
      data: loaded.data,
      ...(lastEventId !== undefined && { lastEventId }),
    }
    // A client of its own: the page must show what its own data says, on both sides.
    const shown = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    for (const [key, value] of state.data) shown.setQueryData(key, value)
    const content = renderToString(
      <App
        state={state}
        slipway={slipway}
        queryClient={shown}
        ssr={{ path: url.pathname, search: url.search }}
      />,
    )
    shown.clear()
    const pageFiles = files.pages[findPage(url.pathname)?.path ?? ''] ?? []
    return buildPageHtml({ content, state, head: loaded.head, files, pageFiles, url })
  }

  const toUrl = (path: string) => new URL(path, 'http://page.invalid')

  return {
    /** Pages that are rendered from now on use no answer from an earlier version of the data. */
    noteVersion(current: number) {
      if (current <= version) return
      version = current
      // Earlier pages still wait for these requests. They are removed the next time.
      queryClient.removeQueries({ fetchStatus: 'idle', predicate: ({ queryKey }) => isVersioned(queryKey) })
    },
    async render(path: string, lastEventId?: string): Promise<{ status: number; html: string }> {
      const url = toUrl(path)
      const loaded = await load(url)
      return { status: loaded.status ?? 200, html: toHtml(url, loaded, lastEventId) }
    },
    renderError: (status: ErrorPageStatus) => toHtml(toUrl('/error'), failed(status)),
  }
}

/** Figures may be a little older: they confirm no change, and they are most of the directory's work. */
const isVersioned = ([kind]: QueryKey) => kind !== 'activity'

const TITLES: Record<ErrorPageStatus, string> = {
  404: 'Not found',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Not available right now',
}

function failed(status: ErrorPageStatus): LoadedPage {
  const head: Head = { title: TITLES[status], description: TITLES[status], isIndexed: false }
  return { status, head, data: [] }
}
