const RASTER = /^data:image\/(?:png|jpe?g|gif|webp|avif);/i

/** A picture that a stranger chose, if a page may show it: https, a raster in the URL itself, or loopback while embedded. */
export function parsePicture(text: string | null | undefined, isEmbedded: boolean): string | undefined {
  if (!text) return undefined
  if (text.slice(0, 5).toLowerCase() === 'data:') return RASTER.test(text) ? text : undefined
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, href } = new URL(text)
  const isLoopback = protocol === 'http:' && (hostname === '127.0.0.1' || hostname === 'localhost')
  return protocol === 'https:' || (isEmbedded && isLoopback) ? href : undefined
}

/** A link that a stranger chose, if it leads to a web page. */
export function parseLink(text: string | null | undefined): { href: string; label: string } | undefined {
  if (!text || !URL.canParse(text)) return undefined
  const { protocol, host, pathname, href, username, password } = new URL(text)
  if ((protocol !== 'https:' && protocol !== 'http:') || username || password) return undefined
  return {
    href,
    label: `${host.replace(/^www\./, '')}${pathname === '/' ? '' : pathname.replace(/\/$/, '')}`,
  }
}

/** For every link from a stranger. */
export const STRANGERS_LINK = { rel: 'noopener nofollow ugc', target: '_blank' } as const
