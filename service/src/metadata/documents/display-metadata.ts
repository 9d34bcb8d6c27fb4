import { cleanName, cleanText } from '@slipway/schema/clean-text'
import type { JsonObject } from '../document-result.ts'
import type { Gateways } from '../parse-document-uri.ts'
import { parseImageUrl } from './image-url.ts'

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
