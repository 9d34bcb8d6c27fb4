import type { Network } from '@slipway/client'
import { NETWORK_TABLE } from '@slipway/launch-model/networks'
import type { SiteSettings } from '../server/protocol.ts'

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
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

const SITES = {
  x: { name: 'X', hosts: ['x.com', 'twitter.com'] },
  telegram: { name: 'Telegram', hosts: ['t.me', 'telegram.me'] },
  discord: { name: 'Discord', hosts: ['discord.gg', 'discord.com'] },
} as const

export type SiteKey = keyof typeof SITES
export const SITE_KEYS = Object.keys(SITES) as SiteKey[]

/** The name of the site if the link leads there. A launcher may give any address as their account. */
export function nameLink(key: SiteKey, url: string): string {
  const { name, hosts } = SITES[key]
  const host = parseUrl(url)?.hostname
  return hosts.some(known => host === known || host?.endsWith(`.${known}`)) ? name : 'Link'
}

/** Where a transaction or an account can be looked at. The explorer reads an embedded chain from this machine. */
export function explorerUrl(
  path: `${'tx' | 'address'}/${string}`,
  network: Network,
  { rpc, isEmbedded }: SiteSettings,
): string {
  const url = new URL(`https://explorer.solana.com/${path}`)
  const { cluster } = NETWORK_TABLE[network]
  const local = isEmbedded && rpc[network]?.url
  if (local) {
    url.searchParams.set('cluster', 'custom')
    url.searchParams.set('customUrl', local)
  } else if (cluster !== EXPLORER_DEFAULT) url.searchParams.set('cluster', cluster)
  return url.href
}

const EXPLORER_DEFAULT = 'mainnet'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/
const BYTES = 32

/** Whether the text is an address: base58 of exactly 32 bytes. */
export function isAddress(text: string): boolean {
  if (!ADDRESS.test(text)) return false
  let number = 0n
  for (const character of text) number = number * 58n + BigInt(ALPHABET.indexOf(character))
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  const rest = number === 0n ? 0 : Math.ceil(number.toString(16).length / 2)
  return zeros + rest === BYTES
}
