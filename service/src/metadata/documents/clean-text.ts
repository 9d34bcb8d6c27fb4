/**
 * A stranger's text, fit to be shown and stored: whole characters, no control characters but line ends and tabs, cut
 * to a length. Undefined for what is no string.
 */
export function cleanText(value: unknown, lengthMax: number): string | undefined {
  if (typeof value !== 'string') return undefined
  // A cut may leave half a character behind, so it comes first.
  return value
    .slice(0, lengthMax)
    .replace(/(?![\t\n\r])\p{Cc}/gu, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
}

/** The same for what must say something: blank is as good as missing. */
export function cleanName(value: unknown, lengthMax: number): string | undefined {
  return cleanText(value, lengthMax)?.trim() || undefined
}
