import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'
import type { EncodedPage } from './protocol.ts'

/** Fast enough for a page that is shown for seconds. */
const BROTLI_QUALITY = 4

/** The page in every encoding, in memory that can be handed to another thread. */
export function encodePage(html: string): EncodedPage {
  const bytes = Buffer.from(html)
  return {
    identity: Uint8Array.from(bytes),
    gzip: Uint8Array.from(gzipSync(bytes)),
    br: Uint8Array.from(
      brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    ),
  }
}
