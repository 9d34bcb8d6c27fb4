import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'

/** Who is calling: the peer, or whom a trusted proxy names. */
export function createClientAddress(trustedProxies: readonly string[], onUntrustedForward: () => void) {
  const trusts = trustedProxies.length > 0 ? proxyAddr.compile([...trustedProxies]) : undefined
  let warned = false

  return function clientAddress(request: IncomingMessage): string {
    if (!trusts) {
      if (!warned && request.headers['x-forwarded-for'] !== undefined) {
        // Behind a proxy that is not named, all clients share one budget: worth knowing, once.
        warned = true
        onUntrustedForward()
      }
      return request.socket.remoteAddress ?? 'unknown'
    }
    const named = proxyAddr(request, trusts)
    // A header can hold anything; what is no address names nobody.
    return isIP(named) ? named : (request.socket.remoteAddress ?? 'unknown')
  }
}

/** What a limit is counted against: an IPv6 client owns a whole /64. */
export function limitKey(address: string): string {
  if (!address.includes(':')) return address
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice(7)
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.split('::', 2)
  const before = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  const groups = address.includes('::') ? [...before, ...zeros, ...after] : before
  return `${groups
    .slice(0, 4)
    .map(group => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
