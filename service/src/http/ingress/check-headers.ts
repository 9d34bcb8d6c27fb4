import type { IncomingMessage } from 'node:http'

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
