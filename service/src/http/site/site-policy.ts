import type { SiteSettings } from '@slipway/site/protocol'

/**
 * The Content-Security-Policy of pages. Scripts, styles, fonts and data come from this service, and balances from the
 * public RPC. Only pictures come from strangers.
 */
export function buildSitePolicy({ rpc }: SiteSettings, pictureOrigin: string | undefined): string {
  const rpcOrigins = Object.values(rpc).flatMap(({ url, wsUrl }) => [originOf(url), originOf(wsUrl)])
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    ['connect-src', "'self'", ...new Set(rpcOrigins)].join(' '),
    ['img-src', "'self'", 'https:', 'data:', ...(pictureOrigin ? [pictureOrigin] : [])].join(' '),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The origin of an HTTP or WebSocket URL, without a path that may contain a key. */
function originOf(url: string): string {
  const { protocol, host } = new URL(url)
  return `${protocol}//${host}`
}
