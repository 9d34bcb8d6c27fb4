import { type DocumentResult, failure } from './document-result.ts'
import { portOf } from './http-url.ts'
import { parseJsonObject } from './parse-json-object.ts'

/** The documents that this service itself serves: they are looked up inside, never fetched from oneself. */
export interface OwnDocuments {
  /** What its public addresses start with, without a slash at the end. */
  url: string
  /** The JSON at a path below it (query included, as in `/v1/agents/…`), undefined when there is none. */
  resolve(path: string): Promise<string | Uint8Array | undefined>
}

/** The path below our public URL that a URL names, undefined when it is not ours. The scheme does not matter. */
export function findOwnPath(own: OwnDocuments | undefined, url: URL): string | undefined {
  if (!own) return undefined
  const home = new URL(own.url)
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
