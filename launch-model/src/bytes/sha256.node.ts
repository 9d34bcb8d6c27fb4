import { hash } from 'node:crypto'

/** Node's own SHA-256 takes half the time. */
export const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer')
