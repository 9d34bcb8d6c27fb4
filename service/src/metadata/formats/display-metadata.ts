import { cleanName, cleanText } from '@slipway/schema/clean-text'
import { REQUEST_MS_MAX } from '../../lib/deadline.ts'
import type { JsonObject } from '../fetched-document.ts'
import type { FetchedDocuments } from '../fetched-documents.ts'
import { type Gateways, gatewayUrl } from '../parse-document-uri.ts'

/** How a registration document, an asset or a token describes itself to people. */
export interface DisplayMetadata {
  name?: string
  description?: string
  image?: string
}

const NAME_LENGTH_MAX = 256
export const DESCRIPTION_LENGTH_MAX = 16_384

/** Takes `name`, `description` and `image`, each only if it is usable. Never throws. */
export function parseDisplayMetadata(document: JsonObject, gateways: Gateways): DisplayMetadata {
  const name = cleanName(document.name, NAME_LENGTH_MAX)
  const description = cleanText(document.description, DESCRIPTION_LENGTH_MAX)
  const image = parseImageUrl(document.image, gateways)
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(image !== undefined && { image }),
  }
}

/**
 * Image and description from the token's document, empty if the token names none. Undefined if the document can't be
 * fetched in time: a slow host does not hold up a registration.
 */
export async function fetchDisplayMetadata(
  { documents, gateways }: { documents: Pick<FetchedDocuments, 'get'>; gateways: Gateways },
  uri: string,
  { network, waitMsMax = REQUEST_MS_MAX }: { network: string; waitMsMax?: number },
): Promise<Pick<DisplayMetadata, 'image' | 'description'> | undefined> {
  if (!uri) return {}
  const result = await documents.get(uri, { waitMsMax, network })
  return result.ok ? parseDisplayMetadata(result.value, gateways) : undefined
}

const URL_LENGTH_MAX = 2_048
const DATA_LENGTH_MAX = 32_768
const DATA_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif|svg\+xml)[;,]/i

/**
 * The URL of an image that a browser can show: http(s), `ipfs://` and `ar://` through the gateways, and small `data:`
 * images. Undefined for anything else, such as `javascript:` and relative paths.
 */
export function parseImageUrl(value: unknown, gateways: Gateways): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (DATA_IMAGE.test(text)) return text.length <= DATA_LENGTH_MAX && isPrintable(text) ? text : undefined
  if (text.length > URL_LENGTH_MAX || !/^(?:https?|ipfs|ar):\/\//i.test(text)) return undefined
  try {
    const url = gatewayUrl(text, gateways) ?? new URL(text)
    return url.username || url.password || url.href.length > URL_LENGTH_MAX ? undefined : url.href
  } catch {
    return undefined
  }
}

const isPrintable = (text: string) => !/\p{Cc}|\p{Surrogate}/u.test(text)
