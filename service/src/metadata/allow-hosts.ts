import { hostOf, portOf } from './http-url.ts'

/**
 * Whether a URL's host was named by the operator as one that documents may be had from although it is private. An entry
 * is a `host`, which means all of its ports, or a `host:port`. Names are compared as they are, without subdomains.
 */
export function createAllowedHosts(entries: readonly string[]): (url: URL) => boolean {
  const allowed = new Set(entries.map(normalise))
  return url => {
    const host = hostOf(url)
    return allowed.has(host) || allowed.has(`${host} ${portOf(url)}`)
  }
}

/** The host as the URL parser writes it, so that `127.1` and `[0:0::1]` mean what they mean in a URI. */
function normalise(entry: string): string {
  const [, host = entry, port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? []
  const written = URL.canParse(`http://${host}`) ? hostOf(new URL(`http://${host}`)) : host
  return port === undefined ? written : `${written} ${Number(port)}`
}
