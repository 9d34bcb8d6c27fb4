import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { Encoding, Representation, Snapshot } from '../endpoint/endpoint.ts'

const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)
const BROTLI_QUALITY = 4

/** Adds the encodings that a request names, off the event loop. */
export async function compressPage(snapshot: Snapshot, acceptEncoding: unknown): Promise<Snapshot> {
  const accepted = `${acceptEncoding ?? ''}`.toLowerCase()
  if (!/\b(?:gzip|br)\b/.test(accepted)) return snapshot
  const { identity } = snapshot
  const bytes = Buffer.concat(identity.parts)
  const options = {
    params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  }
  const [zipped, brotli] = await Promise.all([
    // Always present beside Brotli, because the response varies by the encoding as soon as there are two.
    toGzip(bytes),
    /\bbr\b/.test(accepted) ? toBrotli(bytes, options) : undefined,
  ])
  return {
    identity,
    gzip: represent('gzip', zipped, identity),
    ...(brotli && { br: represent('br', brotli, identity) }),
  }
}

/** Each encoding has an ETag of its own, which depends only on the content. */
const represent = (encoding: Encoding, bytes: Buffer, { etag }: Representation): Representation => ({
  encoding,
  etag: `${etag.slice(0, -1)}-${encoding}"`,
  parts: [bytes],
  length: bytes.length,
})
