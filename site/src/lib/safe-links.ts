const RASTER = /^data:image\/(?:png|jpe?g|gif|webp|avif);/i

/**
 * A picture that a stranger chose, if a page may show it: a raster in the URL itself, or one that has a safe address.
 */
export function parsePicture(text: string | null | undefined, isEmbedded: boolean): string | undefined {
  if (!text) return undefined
  if (text.slice(0, 5).toLowerCase() === 'data:') return RASTER.test(text) ? text : undefined
  return parsePictureUrl(text, isEmbedded)
}

/** The address of a picture, if it is https or, while embedded, loopback. */
export function parsePictureUrl(text: string, isEmbedded: boolean): string | undefined {
  const url = parseUrl(text)
  if (!url) return undefined
  const { protocol, hostname, href } = url
  const isLoopback = protocol === 'http:' && (hostname === '127.0.0.1' || hostname === 'localhost')
  return protocol === 'https:' || (isEmbedded && isLoopback) ? href : undefined
}

/** A link that a stranger chose, if it leads to a web page. */
export function parseLink(text: string | null | undefined): { href: string; label: string } | undefined {
  const url = parseUrl(text ?? '')
  if (!url) return undefined
  const { protocol, host, pathname, href, username, password } = url
  if ((protocol !== 'https:' && protocol !== 'http:') || username || password) return undefined
  return {
    href,
    label: `${host.replace(/^www\./, '')}${pathname === '/' ? '' : pathname.replace(/\/$/, '')}`,
  }
}

/** For every link from a stranger. */
export const STRANGERS_LINK = { rel: 'noopener nofollow ugc', target: '_blank' } as const

/** Whether the text is an address of a web page. */
export const isWebUrl = (text: string): boolean => /^https?:\/\//i.test(text) && parseUrl(text) !== undefined

/**
 * `URL.canParse` won't do: in Node 20 and 22, it refuses hosts such as `é.example` once it has been called a few
 * thousand times.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
