import { DocumentRefused } from './document-result.ts'

const LENGTH_MAX = 2_048

/** Parses an untrusted URL or refuses it. The parser turns every notation of an IP address into the plain one. */
export function parseHttpUrl(text: string, base?: URL): URL {
  if (text.length > LENGTH_MAX) throw new DocumentRefused('bad-uri', 'length')
  let url: URL
  try {
    url = new URL(text, base)
  } catch {
    throw new DocumentRefused('bad-uri', 'syntax')
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new DocumentRefused('bad-uri', 'scheme')
  if (url.username || url.password) throw new DocumentRefused('bad-uri', 'credentials')
  if (!isWebPort(portOf(url))) throw new DocumentRefused('bad-uri', 'port')
  if (url.href.length > LENGTH_MAX) throw new DocumentRefused('bad-uri', 'length')
  url.hash = ''
  return url
}

/** The target of a redirect. Refuses what `parseHttpUrl` refuses, and a step from https down to http. */
export function parseRedirect(from: URL, location: string | undefined): URL {
  if (location === undefined) throw new DocumentRefused('bad-redirect', 'location')
  let url: URL
  try {
    url = parseHttpUrl(location, from)
  } catch (error) {
    throw new DocumentRefused(
      'bad-redirect',
      error instanceof DocumentRefused ? error.failure.detail : undefined,
    )
  }
  // The author chose https so that no one on the way can change the document.
  if (from.protocol === 'https:' && url.protocol === 'http:') {
    throw new DocumentRefused('bad-redirect', 'downgrade')
  }
  return url
}

export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** The name or address, without the brackets that URLs put around IPv6. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Ports above 1023 of other protocols, which might act on our bytes. Browsers refuse them too. */
const BLOCKED_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
])

function isWebPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= 1_024 && !BLOCKED_PORTS.has(port))
}
