import { NETWORKS } from '@slipway/schema/network'
import { PAGE_PARAMETERS, PARAMETER_VALUES, type PagePath } from '@slipway/site/protocol'
import { LRUCache } from 'lru-cache'
import { pathOf } from '../../endpoint/parse-url.ts'
import type { RenderedPage } from './page-thread.ts'
import type { PageVersion } from './page-version.ts'
import { type Bytes, toBytes } from './send-bytes.ts'

/** A rendered page is sent to everyone for this long. */
const PAGE_MS = 2_000
/** Requests share a rendering only for this long, so that a client with slow pages doesn't hold up others. */
const JOINED_MS = 500
/** A page has about 100 kB in all encodings. */
const PAGES_MAX = 200

interface Page {
  status: number
  bytes: Bytes
}

/** A page for everyone, and the client whose slot it uses. */
interface Rendering {
  page: Promise<Page>
  client: string
  startMs: number
  isFinished: boolean
}

/**
 * Rendered pages by URL and version of the data. Requests for the same page at the same time share one rendering. If
 * that takes long, one of the waiting clients starts another rendering in a slot of its own and takes whichever
 * finishes first.
 */
export function createPageCache(
  /** Throws if it can't take another page from this client. */
  render: (url: string, client: string) => Promise<RenderedPage>,
  version: Pick<PageVersion, 'current'>,
) {
  const renderings = new LRUCache<string, Rendering>({ max: PAGES_MAX, ttl: PAGE_MS })

  function start(key: string, url: string, client: string): Promise<Page> {
    // A refusal concerns only this client, so it is thrown here and never shared.
    const page = render(url, client).then(({ status, page }) => ({ status, bytes: toBytes(page) }))
    const rendering = { page, client, startMs: performance.now(), isFinished: false }
    renderings.set(key, rendering)
    page
      // A failure is not kept: the next request tries again.
      .catch(() => renderings.get(key) === rendering && renderings.delete(key))
      .finally(() => {
        rendering.isFinished = true
      })
    return page
  }

  function find(url: string, client: string): Promise<Page> {
    const key = `${version.current()} ${url}`
    const known = renderings.get(key)
    if (!known) return start(key, url, client)
    if (known.isFinished || known.client === client) return known.page
    const leftMs = known.startMs + JOINED_MS - performance.now()
    if (leftMs <= 0) return start(key, url, client)
    const later = sleep(leftMs).then(() => (known.isFinished ? known.page : find(url, client)))
    return Promise.race([known.page, later])
  }

  return { find }
}

const sleep = (ms: number) => new Promise<void>(resolve => void setTimeout(resolve, ms).unref())

/** As long as a cursor of the API may be. */
const PARAMETER_LENGTH_MAX = 1_024

/** Gives each page one spelling: parameters that it does not read are dropped, and values that it takes for none. */
export function toPageUrl(path: PagePath, url: string): string {
  const pathname = pathOf(url)
  const given = new URLSearchParams(url.slice(pathname.length + 1))
  const read = new URLSearchParams()
  for (const name of PAGE_PARAMETERS[path]) {
    const value = given.get(name)?.trim().slice(0, PARAMETER_LENGTH_MAX)
    const values = name === 'network' ? NETWORKS : PARAMETER_VALUES[name]
    if (value && (values?.includes(value as never) ?? true)) read.set(name, value)
  }
  return read.size === 0 ? pathname : `${pathname}?${read}`
}
