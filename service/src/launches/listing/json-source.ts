import { inflateRawSync, constants as zlib } from 'node:zlib'

/** The JSON of several launches, in memory as it is, compressed, or both. */
export interface JsonSource {
  /** Absent if only the compressed form has been needed. */
  plain?: Buffer | undefined
  /** Deflate blocks without a final one. Absent: never compressed. */
  readonly deflated?: Buffer
  /** Of the plain bytes. */
  readonly length: number
}

/** Decompressing a segment takes about 0.1 ms. Its launches are often read one after another. */
const RECENT_MAX = 32
const recent = new Map<JsonSource, Buffer>()

export function readJson(source: JsonSource): Buffer {
  const known = source.plain ?? recent.get(source)
  if (known) return known
  const plain = inflateRawSync(source.deflated as Buffer, inflateOptions(source))
  if (recent.size === RECENT_MAX) recent.delete(recent.keys().next().value as JsonSource)
  recent.set(source, plain)
  return plain
}

export const inflateOptions = ({ length }: JsonSource) => ({
  chunkSize: Math.max(length, zlib.Z_MIN_CHUNK),
  // There is no final block.
  finishFlush: zlib.Z_SYNC_FLUSH,
})
