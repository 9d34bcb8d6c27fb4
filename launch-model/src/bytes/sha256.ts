/** For browsers, whose own SHA-256 is asynchronous and offered to secure pages only. */
export { sha256 } from '@noble/hashes/sha2'
