import type { BaseToken } from './launch.ts'

/**
 * A name or symbol that a stranger chose, made safe to show: one line, trimmed, in Unicode's composed form (NFC),
 * without characters that can't be seen or that change the direction of text. Undefined if it is not a string or
 * nothing is left.
 */
export function cleanName(value: unknown, lengthMax = Number.POSITIVE_INFINITY): string | undefined {
  return clean(value, lengthMax, text => text.replace(LINE_ENDS_AND_TABS, ' '))
}

/** The same for a description, which may have several lines and tabs. */
export function cleanText(value: unknown, lengthMax = Number.POSITIVE_INFINITY): string | undefined {
  return clean(value, lengthMax, text => text.replace(LINE_ENDS, '\n'))
}

/** A token as it is shown. The store keeps the chain's text, and older versions stored descriptions unchanged. */
export function cleanToken(token: BaseToken): BaseToken {
  return {
    ...token,
    name: cleanName(token.name) ?? '',
    symbol: cleanName(token.symbol) ?? '',
    description: cleanText(token.description) ?? '',
  }
}

function clean(
  value: unknown,
  lengthMax: number,
  replaceLineEnds: (text: string) => string,
): string | undefined {
  if (typeof value !== 'string') return undefined
  // Nearly every text takes this path.
  if (value.length <= lengthMax && PLAIN.test(value)) return value
  // Cut first, because the cut may leave half a character. Compose last, because a removed character may have stood
  // between two.
  const cleaned = replaceLineEnds(value.slice(0, lengthMax))
    .replace(UNSEEN, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .normalize('NFC')
    .trim()
  return cleaned || undefined
}

/** Printable ASCII without a space at either end. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/
const LINE_ENDS = /\r\n|[\v\f\r\u0085\u2028\u2029]/g
const LINE_ENDS_AND_TABS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g
/**
 * Control characters (other than line feed and tab), format characters such as those for direction, and whatever else
 * is invisible: zero-width characters, fillers, variation selectors. Emoji joined by zero-width characters fall apart
 * into single ones, which is better than two names that look the same and are not.
 */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu
