import { type Face, readFace } from '../metadata/documents/face.ts'
import type { Documents } from '../metadata/documents.ts'
import type { Gateways } from '../metadata/parse-document-uri.ts'

export interface TokenDocuments {
  documents: Pick<Documents, 'get'>
  gateways: Gateways
}

/** How long a registration waits for the token's document. */
const WAIT_MS_MAX = 3_000

/** Image and description from the document that the token names, if it names one; undefined where that cannot be had. */
export async function fetchTokenFace(
  { documents, gateways }: TokenDocuments,
  uri: string,
): Promise<Pick<Face, 'image' | 'description'> | undefined> {
  if (!uri) return {}
  const result = await documents.get(uri, { waitMsMax: WAIT_MS_MAX })
  return result.ok ? readFace(result.value, gateways) : undefined
}
