/**
 * Untrusted text, made safe to show and store: valid Unicode, no control characters except line ends and tabs, cut to a
 * maximum length. Undefined if the value is not a string.
 */
export function cleanText(value: unknown, lengthMax: number): string | undefined {
  if (typeof value !== 'string') return undefined
  // Cut first: the cut may leave a lone surrogate.
  return value
    .slice(0, lengthMax)
    .replace(/(?![\t\n\r])\p{Cc}/gu, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
}

/** The same, trimmed; undefined if nothing is left. */
export function cleanName(value: unknown, lengthMax: number): string | undefined {
  return cleanText(value, lengthMax)?.trim() || undefined
}
