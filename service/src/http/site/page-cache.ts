import { PAGE_PARAMETERS, type PagePath } from '@slipway/site/protocol'
import { LRUCache } from 'lru-cache'
import { pathOf } from '../../endpoint/parse-url.ts'
import type { RenderedPage } from './page-thread.ts'
import type { PageVersion } from './page-version.ts'
import { type Bytes, toBytes } from './send-bytes.ts'

/** For this long a rendered page is sent to everyone. */
const PAGE_MS = 2_000
/** A page has about 100 kB in all encodings. */
const PAGES_MAX = 200

/** Rendered pages by URL and version of the data. Requests for the same page at the same time share one rendering. */
export function createPageCache(
  /** Throws if it can't take another page from this client. */
  render: (url: string, client: string) => Promise<RenderedPage>,
  version: Pick<PageVersion, 'current'>,
) {
  const pages = new LRUCache<string, Promise<{ status: number; bytes: Bytes }>>({
    max: PAGES_MAX,
    ttl: PAGE_MS,
  })

  return {
    find(url: string, client: string): Promise<{ status: number; bytes: Bytes }> {
      const key = `${version.current()} ${url}`
      const known = pages.get(key)
      if (known) return known
      // A refusal concerns only this client, so it is thrown here and never shared.
      const rendering = render(url, client)
      const page = rendering.then(({ status, page }) => ({ status, bytes: toBytes(page) }))
      pages.set(key, page)
      // A failure is not kept: the next request tries again.
      page.catch(() => pages.get(key) === page && pages.delete(key))
      return page
    },
  }
}

const PARAMETER_LENGTH_MAX = 200

/** Gives each page one spelling: parameters that it does not read are dropped. */
export function toPageUrl(path: PagePath, url: string): string {
  const pathname = pathOf(url)
  const given = new URLSearchParams(url.slice(pathname.length + 1))
  const read = new URLSearchParams()
  for (const name of PAGE_PARAMETERS[path]) {
    const value = given.get(name)?.trim().slice(0, PARAMETER_LENGTH_MAX)
    if (value) read.set(name, value)
  }
  return read.size === 0 ? pathname : `${pathname}?${read}`
}
