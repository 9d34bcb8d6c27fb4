import type { JsonObject } from '../document-result.ts'
import type { Gateways } from '../parse-document-uri.ts'
import { cleanName, cleanText } from './clean-text.ts'
import { readImageUrl } from './image-url.ts'

/** What registration documents, assets and tokens have in common: how they want to be shown. */
export interface Face {
  name?: string
  description?: string
  image?: string
}

export const NAME_LENGTH_MAX = 256
export const DESCRIPTION_LENGTH_MAX = 16_384

/** Reads `name`, `description` and `image`, each only where it is a string of use. Never throws. */
export function readFace(document: JsonObject, gateways: Gateways): Face {
  const name = cleanName(document.name, NAME_LENGTH_MAX)
  const description = cleanText(document.description, DESCRIPTION_LENGTH_MAX)
  const image = readImageUrl(document.image, gateways)
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(image !== undefined && { image }),
  }
}
