export type Encoding = 'identity' | 'gzip' | 'br'

/** The exact bytes of an answer in one encoding, with their strong ETag. */
export interface Representation {
  readonly encoding: Encoding
  readonly etag: string
  readonly parts: readonly Buffer[]
  readonly length: number
}

/** One answer in the encodings that are ready. An encoding that has not been made yet is absent; identity never is. */
export interface Snapshot {
  readonly identity: Representation
  gzip?: Representation
  br?: Representation
}
