import type { IncomingMessage } from 'node:http'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Why a request is refused, or undefined. Any page in a browser on this machine can reach a loopback server: the `Host`
 * check stops names that resolve to loopback (DNS rebinding), and the `Origin` check stops pages of other sites.
 */
export function refusalReason(request: IncomingMessage, allowOrigins: readonly string[]): string | undefined {
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
