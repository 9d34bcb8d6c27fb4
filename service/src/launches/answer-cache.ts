import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { createSnapshot, type Snapshot } from '../endpoint/endpoint.ts'
import { createSingleFlight } from '../lib/single-flight.ts'

/** Caches must revalidate: callers read the figures when an event says that they have changed. */
export const SHORT_CACHE_CONTROL = 'public, no-cache'

/** Shares an answer with all callers within a second, so that a busy launch costs one query per second. */
type AnswerCache = (key: string, read: () => Promise<object>) => Promise<Snapshot>

const KEPT_MS = 1_000
const BYTES_MAX = 32 * 1024 * 1024
/** Compressing a smaller body gains nothing. */
const COMPRESSED_BYTES_MIN = 1_024
/** Compressing a larger one takes the time of many other requests. */
const COMPRESSED_BYTES_MAX = 256 * 1024
const GZIP_LEVEL = 5

export function createAnswerCache(): AnswerCache {
  const cache = new LRUCache<string, Snapshot>({
    ttl: KEPT_MS,
    maxSize: BYTES_MAX,
    sizeCalculation: ({ identity, gzip }) => identity.length + (gzip?.length ?? 0) + 1_000,
  })
  const share = createSingleFlight<string, Snapshot>()
  return async (key, read) =>
    cache.get(key) ??
    share(key, async () => {
      const snapshot = await compress(createSnapshot(Buffer.from(JSON.stringify(await read()))))
      cache.set(key, snapshot)
      return snapshot
    })
}

const gzipAsync = promisify(gzip)

async function compress({ identity }: Snapshot): Promise<Snapshot> {
  if (identity.length < COMPRESSED_BYTES_MIN || identity.length > COMPRESSED_BYTES_MAX) return { identity }
  const bytes = await gzipAsync(identity.parts[0] as Buffer, { level: GZIP_LEVEL })
  const etag = `"${identity.etag.slice(1, -1)}-gzip"`
  return { identity, gzip: { encoding: 'gzip', etag, parts: [bytes], length: bytes.length } }
}
