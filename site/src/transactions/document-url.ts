import { refuse } from './unexpected.ts'

const PRINTABLE = /^[\x21-\x7e]+$/
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * The service chooses the URLs of the documents that it hosts. They are public for good, so they must be ones that
 * anyone can check: over HTTPS, or at this page's own address.
 */
export function parseDocumentUrl(text: string): URL {
  const url = PRINTABLE.test(text) && URL.canParse(text) ? new URL(text) : undefined
  const isAllowed =
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && (url.origin === pageOrigin() || LOOPBACK.test(url.hostname)))
  return isAllowed
    ? url
    : refuse(`The transaction refers to a document at an address that isn’t safe: ${text}`)
}

/** Undefined outside browsers. */
const pageOrigin = () => (globalThis as { location?: { origin: string } }).location?.origin
