import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import ipaddr from 'ipaddr.js'

/** Decides whether a proxy at this address may state the client's address. */
export type TrustsProxy = (address: string) => boolean

export function createProxyTrust(trustedProxies: readonly string[]): TrustsProxy {
  if (trustedProxies.length === 0) return () => false
  const trusts = proxyAddr.compile([...trustedProxies])
  return address => trusts(parseAddress(address) ?? address, 0)
}

/** Finds the client's address: the peer's, or the one that a trusted proxy reports. */
export function createClientAddress(trusts: TrustsProxy, onUntrustedForward: () => void) {
  let warned = false
  return function clientAddress(
    request: IncomingMessage,
    { address, isProxy }: { address: string; isProxy: boolean },
  ): string {
    if (isProxy) return parseAddress(proxyAddr(request, trusts)) ?? address
    if (!warned && request.headers['x-forwarded-for'] !== undefined) {
      // Behind an untrusted proxy all clients share one limit. One warning is enough.
      warned = true
      onUntrustedForward()
    }
    return address
  }
}

/**
 * One spelling per address: IPv4 in dotted form, even if it is mapped into IPv6, and IPv6 in lower case without
 * leading zeros. A port is dropped (`192.0.2.7:80`, `[2001:db8::1]:80`). Undefined if the text is not an address.
 */
export function parseAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  const host = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  if (isIP(host) === 0) return undefined
  // The zone is this machine's name for a link, not part of the address.
  return ipaddr.process(host.replace(/%.*$/, '')).toString()
}

/** The key that requests are counted under: an IPv6 client usually has a whole /64. */
export function limitKey(address: string): string {
  if (!address.includes(':')) return address
  const network = ipaddr.IPv6.parse(address).parts.slice(0, 4)
  return `${network.map(part => part.toString(16)).join(':')}::/64`
}
