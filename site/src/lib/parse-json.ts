/** For JSON that a stranger wrote: anything may be missing, or be something else. */

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const parseList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** Undefined unless it is text that is not blank. */
export const parseText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

export const parseTexts = (value: unknown): string[] => parseList(value).flatMap(one => parseText(one) ?? [])

/** At most this many characters, with an ellipsis for what is missing. No character is cut in half. */
export function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  const end = /[\uD800-\uDBFF]$/.test(text.slice(0, lengthMax - 1)) ? lengthMax - 2 : lengthMax - 1
  return `${text.slice(0, end)}…`
}
