/**
 * The URL that a text is; undefined if it is none. Not with `URL.canParse`: in Node 20, it refuses hosts such as `é.example`
 * once it has been called some thousand times.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}
