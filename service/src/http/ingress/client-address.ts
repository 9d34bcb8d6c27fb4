import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'

/** Finds the client's address: the peer's, or the one that a trusted proxy reports. */
export function createClientAddress(trustedProxies: readonly string[], onUntrustedForward: () => void) {
  const trusts = trustedProxies.length > 0 ? proxyAddr.compile([...trustedProxies]) : undefined
  let warned = false

  return function clientAddress(request: IncomingMessage): string {
    if (!trusts) {
      if (!warned && request.headers['x-forwarded-for'] !== undefined) {
        // Behind an untrusted proxy all clients share one limit. One warning is enough.
        warned = true
        onUntrustedForward()
      }
      return request.socket.remoteAddress ?? 'unknown'
    }
    const reported = proxyAddr(request, trusts)
    // The header can contain anything.
    return isIP(reported) ? reported : (request.socket.remoteAddress ?? 'unknown')
  }
}

/** The key that requests are counted under: an IPv6 client usually has a whole /64. */
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
