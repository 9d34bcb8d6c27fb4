import type { ErrorPageStatus, PagePath, SiteSettings } from '@slipway/site/protocol'
import type { LocalApi } from './local-api.ts'
import { createPageCache, toPageUrl } from './page-cache.ts'
import type { PageVersion } from './page-version.ts'
import { createRenderer, type RenderObserver } from './renderer.ts'
import { type Bytes, toBytes } from './send-bytes.ts'
import { type SharedRendering, shareRenderer } from './share-renderer.ts'
import type { SiteBuild } from './site-build.ts'

/** The site, built and running. */
export interface OpenSite {
  /** Rejects if the page can't be rendered now. The client is the key that its requests are counted under. */
  findPage(path: PagePath, url: string, client: string): Promise<{ status: number; bytes: Bytes }>
  findFile(name: string): { type: string; bytes: Bytes } | undefined
  /** A page that needs no data. */
  findErrorPage(status: ErrorPageStatus): Bytes | undefined
  /** One line about the site's state; throws if no page can be rendered. */
  describe(): string
  close(): Promise<void>
}

export function openSite(
  build: SiteBuild,
  {
    sharedRendering,
    ...parts
  }: {
    settings: SiteSettings
    api: LocalApi
    version: PageVersion
    observer: RenderObserver
    sharedRendering?: SharedRendering | undefined
  },
): OpenSite {
  const start = () => createRenderer({ build, ...parts })
  const renderer = sharedRendering ? shareRenderer(start, sharedRendering) : start()
  const pages = createPageCache(renderer.render, parts.version)
  const errorPages = new Map<ErrorPageStatus, Bytes>()
  const files = new Map(
    [...build.files].map(([name, file]) => [name, { type: file.type, bytes: toBytes(file) }]),
  )
  return {
    findPage: async (path, url, client) => pages.find(toPageUrl(path, url), client),
    findFile: name => files.get(name),
    findErrorPage(status) {
      const page = renderer.errorPage(status)
      const bytes = errorPages.get(status) ?? (page && toBytes(page))
      if (bytes) errorPages.set(status, bytes)
      return bytes
    },
    describe: renderer.describe,
    close: renderer.close,
  }
}
