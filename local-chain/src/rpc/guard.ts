import type { IncomingMessage } from 'node:http'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * A server on loopback is still reachable from every page that a browser on this machine opens. The `Host` stops a
 * name that was made to point here (DNS rebinding), the `Origin` stops pages of other sites.
 */
export function refusal(request: IncomingMessage, allowOrigins: readonly string[]): string | undefined {
  if (!isLoopbackHost(request.headers.host)) return 'Provided Host header is not whitelisted.\n'
  const { origin } = request.headers
  if (origin !== undefined && !isAllowedOrigin(origin, allowOrigins)) {
    return 'Origin of the request is not whitelisted. CORS headers would not be sent and any side-effects were cancelled as well.\n'
  }
  return undefined
}

function isLoopbackHost(host: string | undefined): boolean {
  if (host === undefined) return false
  return LOOPBACK.has(host.replace(/:\d+$/, '').toLowerCase())
}

function isAllowedOrigin(origin: string, allowed: readonly string[]): boolean {
  if (allowed.includes(origin)) return true
  try {
    return LOOPBACK.has(new URL(origin).hostname)
  } catch {
    return false
  }
}
