import { createHash } from 'node:crypto'
import { parseUrl } from '@slipway/schema/url'
import { type DocumentResult, failure, parseJsonObject } from './fetched-document.ts'
import { portOf } from './parse-document-uri.ts'

/** Documents that this service serves itself. They are read directly, never fetched over HTTP. */
export interface OwnDocuments {
  /** The public base URL, without a trailing slash. */
  url: string
  /** Former public base URLs, which are still ours. */
  previousUrls?: readonly string[]
  /** The JSON at a path below it, such as `/v1/agents/…` with its query; undefined if there is none. */
  resolve(path: string): Promise<string | Uint8Array | undefined>
}

/** The path of a URL below a public URL of ours; undefined if the URL is not ours. The scheme does not matter. */
export function findOwnPath(
  own: Pick<OwnDocuments, 'url' | 'previousUrls'> | undefined,
  url: URL,
): string | undefined {
  if (!own) return undefined
  for (const home of [own.url, ...(own.previousUrls ?? [])]) {
    const path = pathBelow(new URL(home), url)
    if (path !== undefined) return path
  }
  return undefined
}

function pathBelow(home: URL, url: URL): string | undefined {
  const samePort = portOf(url) === portOf(home) || (url.port === '' && home.port === '')
  if (url.hostname.replace(/\.$/, '') !== home.hostname || !samePort) return undefined
  const base = home.pathname.replace(/\/$/, '')
  if (!url.pathname.startsWith(`${base}/`)) return undefined
  return url.pathname.slice(base.length) + url.search
}

export async function readOwnDocument(own: OwnDocuments, path: string): Promise<DocumentResult> {
  const found = await own.resolve(path)
  if (found === undefined) return failure('http-status', '404')
  return parseJsonObject(typeof found === 'string' ? Buffer.from(found) : found)
}

/** Where hosted documents are served. The name is the SHA-256 of the bytes, in lower-case hexadecimal. */
export const DOCUMENT_PATH = '/v1/documents/{sha256}.json'

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const documentUrl = (publicUrl: string, sha256: string): string =>
  `${publicUrl}${DOCUMENT_PATH.replace('{sha256}', sha256)}`

/** The hash of the hosted document at a path with or without a query; undefined for any other path. */
export const parseDocumentPath = (path: string): string | undefined =>
  /^\/v1\/documents\/([\da-f]{64})\.json(?:\?|$)/.exec(path)?.[1]

/** The hash of the hosted document that a URI names; undefined if it names none of ours. */
export function parseHostedUri(
  own: Pick<OwnDocuments, 'url' | 'previousUrls'>,
  uri: string,
): string | undefined {
  const url = parseUrl(uri)
  const path = url && findOwnPath(own, url)
  return path === undefined ? undefined : parseDocumentPath(path)
}
