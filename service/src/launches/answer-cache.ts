import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { createSnapshot, type Snapshot } from '../endpoint/endpoint.ts'
import { createKeptReads } from '../lib/kept-reads.ts'

/** Caches must revalidate: callers read the figures when an event says that they have changed. */
export const SHORT_CACHE_CONTROL = 'public, no-cache'

/**
 * Shares an answer with all callers within a second, so that a busy launch costs one query per second. Without a key, for
 * requests that callers can vary at will, it is read for each of them.
 */
type AnswerCache = (key: string | undefined, read: () => Promise<object>) => Promise<Snapshot>

const KEPT_MS = 1_000
const BYTES_MAX = 32 * 1024 * 1024
/** Compressing a smaller body gains nothing. */
const COMPRESSED_BYTES_MIN = 1_024
/** Compressing a larger one takes the time of many other requests. */
const COMPRESSED_BYTES_MAX = 256 * 1024
const GZIP_LEVEL = 5

export function createAnswerCache(): AnswerCache {
  const keep = createKeptReads<string, Snapshot>({
    keptMs: KEPT_MS,
    sizeMax: BYTES_MAX,
    sizeOf: ({ identity, gzip }) => identity.length + (gzip?.length ?? 0) + 1_000,
  })
  return (key, read) => {
    const answer = async () => encodeAnswer(await read())
    return key === undefined ? answer() : keep(key, answer)
  }
}

const gzipAsync = promisify(gzip)

export async function encodeAnswer(value: object): Promise<Snapshot> {
  const { identity } = createSnapshot(Buffer.from(JSON.stringify(value)))
  if (identity.length < COMPRESSED_BYTES_MIN || identity.length > COMPRESSED_BYTES_MAX) return { identity }
  const bytes = await gzipAsync(identity.parts[0] as Buffer, { level: GZIP_LEVEL })
  const etag = `"${identity.etag.slice(1, -1)}-gzip"`
  return { identity, gzip: { encoding: 'gzip', etag, parts: [bytes], length: bytes.length } }
}
