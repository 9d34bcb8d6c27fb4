import { hash } from 'node:crypto'

/** Node's own takes half of the time. */
export const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer')
