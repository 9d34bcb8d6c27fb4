import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { parseUrl } from '@slipway/schema/url'
import { pause } from '../../lib/pause.ts'
import { DocumentRefused } from '../fetched-document.ts'
import { hostOf, portOf } from '../parse-document-uri.ts'
import { isPublicAddress } from './is-public-address.ts'

/** Looks up the addresses of a name. */
export type ResolveHost = (
  name: string,
  options: { allowed: boolean; signal: AbortSignal },
) => Promise<string[]>

/** If a name has more addresses, only the first ones are tried. */
const ADDRESSES_MAX = 8

/**
 * The addresses that a connection to this URL may use, all of them checked. The connection must go to one of these and
 * must not look the name up again: a second answer could differ.
 */
export async function resolveAddresses(
  resolve: ResolveHost,
  url: URL,
  { allowed, signal }: { allowed: boolean; signal: AbortSignal },
): Promise<string[]> {
  const host = hostOf(url)
  if (isIP(host)) {
    if (!allowed && !isPublicAddress(host)) throw new DocumentRefused('private-address')
    return [host]
  }
  if (!allowed && /(?:^|\.)localhost\.?$/.test(host)) throw new DocumentRefused('private-address')
  const addresses = await resolve(host, { allowed, signal })
  if (addresses.length === 0) throw new DocumentRefused('unreachable', 'ENOTFOUND')
  // A private address among public ones is an attack, or a mistake that would work every other time.
  if (!allowed && !addresses.every(isPublicAddress)) throw new DocumentRefused('private-address')
  return addresses.slice(0, ADDRESSES_MAX)
}

const DNS_TIMEOUT_MS = 1_500
const DNS_TRIES = 2
/**
 * How long to wait for the second address family once the first has answered: some name servers never answer for
 * IPv6.
 */
const SECOND_FAMILY_MS = 250

/**
 * Untrusted names are looked up over the network only. The system's look-up also reads the hosts file, and it runs on
 * the few threads that the whole process shares, where slow name servers would delay everyone. Only names that the
 * operator allowed use it, because they may exist nowhere else.
 */
export function createResolveHost({
  servers,
  timeoutMs = DNS_TIMEOUT_MS,
}: {
  servers?: readonly string[]
  timeoutMs?: number
} = {}): ResolveHost {
  return async (name, { allowed, signal }) => {
    if (allowed) return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address)
    const resolver = new Resolver({ timeout: timeoutMs, tries: DNS_TRIES })
    if (servers) resolver.setServers(servers)
    return resolveBothFamilies(resolver, name, signal)
  }
}

async function resolveBothFamilies(resolver: Resolver, name: string, signal: AbortSignal): Promise<string[]> {
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const families = [resolver.resolve4(name), resolver.resolve6(name)]
    const both = Promise.all(families.map(family => family.catch((): string[] => []))).then(lists =>
      lists.flat(),
    )
    const first = await Promise.any(families).catch(() => undefined)
    return await (first ? Promise.race([both, pause(SECOND_FAMILY_MS).then(() => first)]) : both)
  } finally {
    signal.removeEventListener('abort', cancel)
    resolver.cancel()
  }
}

/**
 * Tests whether the operator allows a URL's host to have a private address. An entry is a `host`, which covers all its
 * ports, or a `host:port`. A name does not cover its subdomains.
 */
export function createAllowedHosts(entries: readonly string[]): (url: URL) => boolean {
  const allowed = new Set(entries.map(normalise))
  return url => {
    const host = hostOf(url)
    return allowed.has(host) || allowed.has(`${host} ${portOf(url)}`)
  }
}

/** Writes the host as the URL parser does, so that `127.1` and `[0:0::1]` match what they mean in a URI. */
function normalise(entry: string): string {
  const [, host = entry, port] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? []
  const url = parseUrl(`http://${host}`)
  const written = url ? hostOf(url) : host
  return port === undefined ? written : `${written} ${Number(port)}`
}
