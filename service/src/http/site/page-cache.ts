import { LRUCache } from 'lru-cache'
import { pathOf } from '../../endpoint/parse-url.ts'
import type { PageVersion } from './page-version.ts'
import type { RenderedPage } from './renderer.ts'
import { type Bytes, toBytes } from './send-bytes.ts'

/** For this long a rendered page is sent to everyone. */
const PAGE_MS = 2_000
/** A page has about 100 kB in all encodings. */
const PAGES_MAX = 200

/** Rendered pages by URL and version of the data. Requests for the same page at the same time share one rendering. */
export function createPageCache(
  render: (url: string) => Promise<RenderedPage>,
  version: Pick<PageVersion, 'current'>,
) {
  const pages = new LRUCache<string, Promise<{ status: number; bytes: Bytes }>>({
    max: PAGES_MAX,
    ttl: PAGE_MS,
  })

  async function renderBytes(url: string) {
    const { status, page } = await render(url)
    return { status, bytes: toBytes(page) }
  }

  return {
    find(url: string) {
      const key = `${version.current()} ${url}`
      const known = pages.get(key)
      if (known) return known
      const page = renderBytes(url)
      pages.set(key, page)
      // A failure is not kept: the next request tries again.
      page.catch(() => pages.delete(key))
      return page
    },
  }
}

/** The parameters that pages know. */
const PARAMETERS = ['network', 'status', 'q', 'page', 'filter', 'sort']
const PARAMETER_LENGTH_MAX = 200

/** One spelling per page: unknown parameters do not make another page. */
export function toPageUrl(url: string): string {
  const path = pathOf(url)
  const given = new URLSearchParams(url.slice(path.length + 1))
  const known = new URLSearchParams()
  for (const name of PARAMETERS) {
    const value = given.get(name)?.trim().slice(0, PARAMETER_LENGTH_MAX)
    if (value) known.set(name, value)
  }
  const query = known.toString()
  return query === '' ? path : `${path}?${query}`
}
