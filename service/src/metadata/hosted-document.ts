import { createHash } from 'node:crypto'
import { findOwnPath, type OwnDocuments } from './own-documents.ts'

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
  if (!URL.canParse(uri)) return undefined
  const path = findOwnPath(own, new URL(uri))
  return path === undefined ? undefined : parseDocumentPath(path)
}
