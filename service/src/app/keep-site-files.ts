import { LRUCache } from 'lru-cache'
import type { EarlierFiles } from '../http/site/earlier-files.ts'
import type { SiteFile } from '../http/site/site-build.ts'
import { createLru } from '../lib/create-lru.ts'
import type { ShutdownList } from '../shutdown.ts'
import type { Database } from '../store/database.ts'
import { findSiteFile, offerSiteFiles, sweepSiteFiles } from '../store/site-files.ts'
import type { Log } from '../telemetry/log.ts'

const OFFER_MS = 60 * 60_000
/** After the store was down. */
const RETRY_MS = 60_000
/** Bounds the memory: a build has about two megabytes. */
const BYTES_MAX = 8_000_000
/** Names that no build has had, so that asking for them again costs little. A node that starts may be about to store one. */
const MISSING_MS = 2_000
const MISSING_MAX = 1_000

/**
 * Stores the files of this node's build, so that every node can serve them to pages that were opened before an update. If the
 * store is down, only such files are missing.
 */
export function keepSiteFiles({
  database,
  log,
  shutdown,
}: {
  database: Database
  log: Pick<Log, 'warn'>
  shutdown: ShutdownList
}): EarlierFiles {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  shutdown.add('site files', () => {
    isClosed = true
    clearTimeout(timer)
  })
  const found = new LRUCache<string, SiteFile>({
    maxSize: BYTES_MAX,
    sizeCalculation: ({ identity, gzip, br }) => identity.length + (gzip?.length ?? 0) + (br?.length ?? 0),
  })
  const missing = createLru<string, true>(MISSING_MAX, { ttl: MISSING_MS })

  async function keep(files: ReadonlyMap<string, SiteFile>): Promise<void> {
    let nextMs = OFFER_MS
    try {
      await offerSiteFiles(
        database,
        [...files].map(([name, file]) => ({ name, ...file })),
      )
      await sweepSiteFiles(database, [...files.keys()])
    } catch (error) {
      nextMs = RETRY_MS
      if (!isClosed) log.warn({ err: error }, "could not store the site's files; trying again in a minute")
    }
    if (!isClosed) timer = setTimeout(() => void keep(files), nextMs).unref()
  }

  return {
    keep,
    async find(name) {
      const known = found.get(name)
      if (known || missing.has(name)) return known
      const file = await findSiteFile(database, name)
      if (file) found.set(name, file as SiteFile)
      else missing.set(name, true)
      return file as SiteFile | undefined
    },
  }
}
