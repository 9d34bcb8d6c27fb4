import { type DocumentFailure, DocumentRefused } from './fetched-document.ts'

/** Base URLs. Both end in a slash. */
export interface Gateways {
  ipfsGateway: string
  arweaveGateway: string
}

export type DocumentTarget =
  /** `immutable`: the address is derived from the content. */
  | { kind: 'http'; url: URL; immutable: boolean }
  | { kind: 'data'; bytes: Uint8Array }
  | { kind: 'refused'; failure: DocumentFailure }

export const DOCUMENT_BYTES_MAX = 1_048_576

/** Where the document of a URI is. Never throws. */
export function parseDocumentUri(uri: string, gateways: Gateways): DocumentTarget {
  try {
    // Chain accounts pad strings with zero bytes, and people leave blanks.
    const text = trim(uri)
    if (/^data:/i.test(text)) return { kind: 'data', bytes: parseDataUri(text) }
    // The URL parser would silently drop some of these.
    if (hasControlCharacters(text) || /\s/.test(text)) throw new DocumentRefused('bad-uri', 'syntax')
    const address = gatewayUrl(text, gateways)
    return { kind: 'http', url: address ?? parseHttpUrl(text), immutable: address !== undefined }
  } catch (error) {
    if (error instanceof DocumentRefused) return { kind: 'refused', failure: error.failure }
    throw error
  }
}

/** The gateway URL of an `ipfs://` or `ar://` URI; undefined for any other scheme. */
export function gatewayUrl(text: string, { ipfsGateway, arweaveGateway }: Gateways): URL | undefined {
  const scheme = text.slice(0, text.indexOf(':')).toLowerCase()
  const rest = text.slice(scheme.length)
  if (scheme === 'ipfs') return contentUrl(ipfsGateway, IPFS.exec(rest))
  if (scheme === 'ar') return contentUrl(arweaveGateway, ARWEAVE.exec(rest))
  return undefined
}

// The query is dropped like a fragment: it would address the gateway, not the content.
const IPFS = /^:\/\/(?:ipfs\/)?(Qm[1-9A-HJ-NP-Za-km-z]{44}|[bBzkKfFu][\w-]{40,120})(\/[^?#]*)?(?:[?#].*)?$/
const ARWEAVE = /^:\/\/([\w-]{43})(\/[^?#]*)?(?:[?#].*)?$/

/**
 * A dot, slash or backslash that a gateway might decode, even if it decodes twice, and then follow out of the
 * content.
 */
const ENCODED_SEPARATOR = /%(?:25)*(?:2e|2f|5c)/i

function contentUrl(gateway: string, match: RegExpExecArray | null): URL {
  const [, id, path = ''] = match ?? []
  if (id === undefined) throw new DocumentRefused('bad-uri', 'content-id')
  if (ENCODED_SEPARATOR.test(path)) throw new DocumentRefused('bad-uri', 'path')
  const root = `${new URL(gateway).href}${id}`
  const url = parseHttpUrl(root + path)
  // Dots in the path must not lead out of the content into the rest of the gateway.
  if (url.href !== root && !url.href.startsWith(`${root}/`)) throw new DocumentRefused('bad-uri', 'path')
  return url
}

function trim(text: string): string {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) <= 0x20) end -= 1
  return text.slice(0, end).trimStart()
}

function hasControlCharacters(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}

const JSON_TYPE = /^(?:application\/json|text\/json|application\/[\w.!#$&^+-]+\+json)?$/i
const CHARSET = /^(?:utf-?8|us-ascii)$/i
/** A percent-encoded byte takes three characters. */
const CHARACTERS_PER_BYTE = 3
const HEAD_LENGTH_MAX = 256

/** The bytes of a `data:` URI whose media type is JSON or missing. */
function parseDataUri(uri: string): Uint8Array {
  const comma = uri.slice(0, HEAD_LENGTH_MAX).indexOf(',')
  if (comma === -1) throw new DocumentRefused('bad-uri', 'syntax')
  if (uri.length - comma > DOCUMENT_BYTES_MAX * 2 * CHARACTERS_PER_BYTE)
    throw new DocumentRefused('too-large')

  const [type = '', ...parameters] = uri
    .slice('data:'.length, comma)
    .split(';')
    .map(part => part.trim())
  if (!JSON_TYPE.test(type)) throw new DocumentRefused('bad-uri', 'media-type')
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=')
    if (name.toLowerCase() === 'charset' && !CHARSET.test(value)) {
      throw new DocumentRefused('bad-uri', 'charset')
    }
  }
  // A `#` does not start a fragment: people write documents into URIs by hand, including colours like #fff.
  const written = percentDecode(Buffer.from(uri.slice(comma + 1)))
  const bytes = parameters.at(-1)?.toLowerCase() === 'base64' ? decodeBase64(written) : written
  if (bytes.length > DOCUMENT_BYTES_MAX) throw new DocumentRefused('too-large')
  return bytes
}

function decodeBase64(written: Uint8Array): Uint8Array {
  const text = Buffer.from(written.buffer, written.byteOffset, written.length)
    .toString('latin1')
    .replace(/[\t\n\f\r ]+/g, '')
  // Buffer would skip invalid characters and return a damaged document.
  if (!/^[\w+/-]*={0,2}$/.test(text)) throw new DocumentRefused('bad-uri', 'base64')
  return Buffer.from(text, 'base64')
}

const PERCENT = 0x25

/** A `%` without two hexadecimal digits after it is kept as it is. */
function percentDecode(written: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(written.length)
  let length = 0
  for (let index = 0; index < written.length; index += 1) {
    const byte = written[index] as number
    const high = byte === PERCENT ? hexDigit(written[index + 1]) : -1
    const low = high === -1 ? -1 : hexDigit(written[index + 2])
    decoded[length] = low === -1 ? byte : high * 16 + low
    if (low !== -1) index += 2
    length += 1
  }
  return decoded.subarray(0, length)
}

function hexDigit(code: number | undefined): number {
  if (code === undefined) return -1
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

const URL_LENGTH_MAX = 2_048

/** Parses an untrusted URL or refuses it. The parser turns every notation of an IP address into the plain one. */
function parseHttpUrl(text: string, base?: URL): URL {
  if (text.length > URL_LENGTH_MAX) throw new DocumentRefused('bad-uri', 'length')
  let url: URL
  try {
    url = new URL(text, base)
  } catch {
    throw new DocumentRefused('bad-uri', 'syntax')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new DocumentRefused('bad-uri', 'scheme')
  if (url.username || url.password) throw new DocumentRefused('bad-uri', 'credentials')
  if (!isWebPort(portOf(url))) throw new DocumentRefused('bad-uri', 'port')
  if (url.href.length > URL_LENGTH_MAX) throw new DocumentRefused('bad-uri', 'length')
  url.hash = ''
  return url
}

/** The target of a redirect. Refuses what `parseHttpUrl` refuses, and a step from https down to http. */
export function parseRedirect(from: URL, location: string | undefined): URL {
  if (location === undefined) throw new DocumentRefused('bad-redirect', 'location')
  let url: URL
  try {
    url = parseHttpUrl(location, from)
  } catch (error) {
    throw new DocumentRefused(
      'bad-redirect',
      error instanceof DocumentRefused ? error.failure.detail : undefined,
    )
  }
  // The author chose https so that no one on the way can change the document.
  if (from.protocol === 'https:' && url.protocol === 'http:') {
    throw new DocumentRefused('bad-redirect', 'downgrade')
  }
  return url
}

export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** The name or address, without the brackets that URLs put around IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Ports above 1023 of other protocols, which might act on our bytes. Browsers refuse them too. */
const BLOCKED_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
])

function isWebPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1_024 && !BLOCKED_PORTS.has(port))
}
