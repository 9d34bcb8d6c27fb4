/**
 * Undefined if the text is not a URL. This doesn't use `URL.canParse`: in Node 20 and 22, that refuses hosts such as
 * `é.example` once it has been called a few thousand times.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
