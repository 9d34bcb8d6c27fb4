import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * What counts as one host when places are shared out. One wildcard record gives a stranger any number of names, so the
 * names of a domain count together, as do the IPv6 addresses that one customer gets. Without the public list of
 * suffixes this is a guess; a wrong one makes strangers share a few places, nothing worse.
 */
export function siteOf(host: string): string {
  if (isIP(host) === 4) return host
  if (isIP(host) === 6) return ipaddr.IPv6.parse(host).parts.slice(0, 3).join(':')
  const labels = host.replace(/\.$/, '').split('.')
  const [second = '', top = ''] = labels.slice(-2)
  // As in co.uk, com.br: the name stands one further to the left.
  const suffix = top.length === 2 && second.length <= 3 ? 3 : 2
  return labels.slice(-suffix).join('.')
}
