import { createHash } from 'node:crypto'

export type Encoding = 'identity' | 'gzip' | 'br'

/** The exact bytes of an answer in one encoding, with their strong ETag. */
export interface Representation {
  readonly encoding: Encoding
  readonly etag: string
  readonly parts: readonly Buffer[]
  readonly length: number
}

/** One answer in the encodings that are ready. Identity is always ready; the others may come later. */
export interface Snapshot {
  readonly identity: Representation
  gzip?: Representation
  br?: Representation
}

/** Gives bytes a strong ETag that depends on nothing else: it is the same on every node and after every restart. */
export function createSnapshot(bytes: Buffer): Snapshot {
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 27)
  return { identity: { encoding: 'identity', etag: `"${tag}"`, parts: [bytes], length: bytes.length } }
}
