import { parseUrl } from './safe-links.ts'

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
