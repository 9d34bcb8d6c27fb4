import { type Gateways, gatewayUrl } from '../parse-document-uri.ts'

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
