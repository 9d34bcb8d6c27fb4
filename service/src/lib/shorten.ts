import type { BaseToken, Socials } from '@slipway/schema/launch'

/**
 * What a list carries of the texts that strangers write, in bytes. A document may be long, but a list has many of them, and
 * everyone pays for it. The details have each text whole.
 */
export const LISTED_BYTES = {
  name: 256,
  symbol: 64,
  /** Also the longest URL that is accepted. Only `data:` pictures are longer. */
  picture: 2_048,
  /** A picture's URL is usually short, and the description takes what it leaves. */
  pictureAndDescription: 2_848,
  /** All links of a launch together. */
  links: 1_200,
  uri: 2_048,
} as const

/** In JSON or in HTML, whichever is longer: characters that either one escapes take up to six bytes. */
const bytesOf = (character: string): number => {
  const code = character.codePointAt(0) as number
  if (code < 0x80) return code < 0x20 || ESCAPED.includes(character) ? 6 : 1
  if (code === 0x2028 || code === 0x2029) return 6
  return code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}
const ESCAPED = `"&'<>\\`

/** Whether a text takes at most this many bytes in a list. */
const fits = (text: string, bytesMax: number): boolean =>
  text.length * 6 <= bytesMax || (text.length <= bytesMax && endWithin(text, bytesMax) === text.length)

function sizeOf(text: string): number {
  let bytes = 0
  for (const character of text) bytes += bytesOf(character)
  return bytes
}

/** Where the beginning of a text that takes at most this many bytes ends. */
function endWithin(text: string, bytesMax: number): number {
  let [bytes, end] = [0, 0]
  for (const character of text) {
    bytes += bytesOf(character)
    if (bytes > bytesMax) return end
    end += character.length
  }
  return end
}

const ELLIPSIS = '…'
const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** What people see as one character may consist of several, but seldom of more than this. */
const GRAPHEME_LENGTH_MAX = 64

/** A text, or its beginning with an ellipsis, in at most this many bytes. No character is cut into parts. */
export function cutText(text: string, bytesMax: number): string {
  if (fits(text, bytesMax)) return text
  const end = endWithin(text, bytesMax - Buffer.byteLength(ELLIPSIS))
  const from = Math.max(0, end - GRAPHEME_LENGTH_MAX)
  const around = GRAPHEMES.segment(text.slice(from, end + GRAPHEME_LENGTH_MAX))
  const start = from + (around.containing(end - from)?.index ?? 0)
  return `${text.slice(0, start > from ? start : end).trimEnd()}${ELLIPSIS}`
}

/** A picture's URL, or nothing if it is too long. A `data:` picture can't be cut. */
export const shortenPicture = (image: string): string => (fits(image, LISTED_BYTES.picture) ? image : '')

/** A description, or its beginning, beside a picture that is not too long. */
export const shortenDescription = (description: string, picture: string): string =>
  // Nearly every description takes this path.
  (description.length + picture.length) * 6 <= LISTED_BYTES.pictureAndDescription
    ? description
    : cutText(description, LISTED_BYTES.pictureAndDescription - sizeOf(picture))

export const shortenUri = (uri: string | null): string | null =>
  uri !== null && fits(uri, LISTED_BYTES.uri) ? uri : null

/** The same object if nothing is too long. */
export function shortenToken(token: BaseToken): BaseToken {
  const name = cutText(token.name, LISTED_BYTES.name)
  const symbol = cutText(token.symbol, LISTED_BYTES.symbol)
  const image = shortenPicture(token.image)
  const description = shortenDescription(token.description, image)
  const isWhole =
    name === token.name &&
    symbol === token.symbol &&
    image === token.image &&
    description === token.description
  return isWhole ? token : { ...token, name, symbol, image, description }
}

interface Links {
  website: string
  socials: Socials
}

/** The links that fit, in their order; the same object if all do. A link that is cut would lead elsewhere. */
export function shortenLinks<Source extends Links>(source: Source): Source {
  const { website, socials } = source
  let left: number = LISTED_BYTES.links
  const take = (link: string) => {
    if (!fits(link, left)) return false
    left -= sizeOf(link)
    return true
  }
  const hasWebsite = take(website)
  const links = Object.entries(socials) as [string, string][]
  const kept = links.filter(([, link]) => take(link))
  if (hasWebsite && kept.length === links.length) return source
  return { ...source, website: hasWebsite ? website : '', socials: Object.fromEntries(kept) }
}
