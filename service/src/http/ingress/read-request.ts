import type { IncomingMessage } from 'node:http'
import { isIP, isIPv4 } from 'node:net'
import proxyAddr from '@fastify/proxy-addr'
import { decodePath } from '@slipway/schema/path-table'
import ipaddr from 'ipaddr.js'
import { pathOf } from '../../endpoint/parse-url.ts'
import type { Budget } from './rate-limit.ts'

/** The budget that a request counts against. */
export function budgetOf(method: string, url: string): Budget {
  if (method === 'OPTIONS') return 'preflights'
  if (method !== 'GET' && method !== 'HEAD') return READ_BY_POST.test(url) ? 'reads' : 'writes'
  if (isMonitoring(url)) return 'checks'
  return CHAIN_READ.test(url) ? 'chainReads' : 'reads'
}

export const isMonitoring = (url: string): boolean => MONITORING.has(url)

/** The endpoints that read the chain for every request, and the pages that call one of them. */
const CHAIN_READ =
  /^\/(?:v1\/(?:launches\/[^/?#]+\/(?:quote|holders|positions\/[^/?#]+)|agents\/[^/?#]+\/(?:wallet|delegates)|wallets\/[^/?#]+)|(?:wallets|rewards)\/[^/?#]+)(?:[?#]|$)/

/** A call of a tool that costs more also counts against the budget of its endpoint. */
const READ_BY_POST = /^\/(?:mcp|ard\/search|ard\/explore)(?:[?#]|$)/

const MONITORING = new Set(['/healthz', '/readyz', '/readyz?for=reads', '/metrics'])

/**
 * A proxy may request `http://host/path`; only the path counts. Two slashes at the start of a path come from a base
 * URL that ends in a slash, and count as one. Everything after this sees the path decoded: routes, caches, limits,
 * metrics and the log.
 */
export function normalizeUrl(url: string): string {
  const sent = toOriginForm(url)
  const normal = sent.startsWith('//') && sent[2] !== '/' ? sent.slice(1) : sent
  if (!normal.includes('%')) return normal
  const path = pathOf(normal)
  return decodePath(path) + normal.slice(path.length)
}

function toOriginForm(url: string): string {
  if (url.startsWith('/')) return url
  const path = /^https?:\/\/[^/?#]*([^#]*)/i.exec(url)?.[1]
  if (path === undefined) return url
  return path.startsWith('/') ? path : `/${path}`
}

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

/** `uri-host [ ":" port ]` of RFC 9110, 7.2. It may be empty. */
const HOST = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(:\d*)?$/i

/** The last valid host: most requests name the same one. */
let validHost = ''

/**
 * Whether every server and proxy that reads the request agrees on its host and its length. If they disagree, an
 * attacker can smuggle a request past one of them.
 */
export function hasPlainHeaders({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  const coding = headers['transfer-encoding']
  // HTTP/1.0 has no chunks, so its readers disagree on where such a request ends (RFC 9112, 6.1).
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) return false
  const { host } = headers
  if (host === undefined) return httpVersion !== '1.1'
  if (host !== validHost) {
    if (!HOST.test(host)) return false
    validHost = host
  }
  return !isHostRepeated(rawHeaders)
}

/** If a request has several `Host` headers, Node keeps only the first in `headers`. */
function isHostRepeated(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts > 1
}
