import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { DocumentRefused } from './document-result.ts'
import { hostOf } from './http-url.ts'
import { isPublicAddress } from './is-public-address.ts'

/** Asks for the addresses of a name. */
export type ResolveHost = (
  name: string,
  options: { allowed: boolean; signal: AbortSignal },
) => Promise<string[]>

/** Of many addresses only so many are tried. */
const ADDRESSES_MAX = 8

/**
 * The addresses that may be connected to, all of them checked. Whoever connects uses these and does not ask again: a
 * second answer could be another one.
 */
export async function findAddresses(
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
  // One private address among public ones is somebody's trick, or a mistake that would work every other time.
  if (!allowed && !addresses.every(isPublicAddress)) throw new DocumentRefused('private-address')
  return addresses.slice(0, ADDRESSES_MAX)
}

const DNS_TIMEOUT_MS = 1_500
const DNS_TRIES = 2
/** How long the one family is waited for when the other has answered: some name servers never answer for IPv6. */
const SECOND_FAMILY_MS = 250

/**
 * Strangers' names are asked for over the network only. The system's own look-up reads the hosts file too, and works
 * in the few threads that the whole process shares: slow name servers would hold up everyone's. It is left to the
 * names that the operator allowed, which may be known nowhere else.
 */
export function createResolveHost({ servers }: { servers?: readonly string[] } = {}): ResolveHost {
  return async (name, { allowed, signal }) => {
    if (allowed) return (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address)
    const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
    if (servers) resolver.setServers(servers)
    return askBothFamilies(resolver, name, signal)
  }
}

async function askBothFamilies(resolver: Resolver, name: string, signal: AbortSignal): Promise<string[]> {
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const families = [resolver.resolve4(name), resolver.resolve6(name)]
    const answered = families.map(family => family.catch((): string[] => []))
    const first = await Promise.any(families).catch(() => undefined)
    const late = first && sleep(SECOND_FAMILY_MS, first, { ref: false })
    const both = Promise.all(answered).then(lists => lists.flat())
    return await (late ? Promise.race([both, late]) : both)
  } finally {
    signal.removeEventListener('abort', cancel)
    resolver.cancel()
  }
}
