import type { IncomingMessage } from 'node:http'
import { ServiceError } from '@slipway/schema/errors'
import type { Network } from '@slipway/schema/network'
import type { FastifyInstance } from 'fastify'
import { isLoopback } from '../../lib/is-loopback.ts'

/** The demo's throw-away keys, for the wallet that is built into the pages. */
export interface DemoKeys {
  accounts: readonly {
    network: Network
    address: string
    /** 64 bytes in base64. */
    secretKey: string
    label: string
  }[]
}

const DEMO_KEYS_PATH = '/demo/keys'

/**
 * Serves the demo's keys to our own pages alone. The service listens on loopback, so only this machine reaches it.
 * The `Host` check stops names that resolve to loopback, and `Sec-Fetch-Site` stops other sites' pages, which can't
 * set it. A proxy on this machine may send any `Host`, so a request with any sign of having been forwarded is refused
 * too.
 */
export function mountDemoKeys(app: FastifyInstance, keys: DemoKeys): void {
  app.get(DEMO_KEYS_PATH, async ({ headers, raw }, reply) => {
    const isOurPage = isLoopbackHost(headers.host) && headers['sec-fetch-site'] === 'same-origin'
    if (!isOurPage || isPassedOn(raw)) throw new ServiceError('NOT_FOUND')
    return reply
      .removeHeader('Access-Control-Allow-Origin')
      .removeHeader('Access-Control-Expose-Headers')
      .header('Cache-Control', 'no-store')
      .send(keys)
  })
}

const isLoopbackHost = (host = '') => isLoopback(host.replace(/:\d+$/, ''))

/** By default, nginx adds no header and sends HTTP/1.0. `Referer` still names the host that people see. */
function isPassedOn({ headers, httpVersion }: IncomingMessage): boolean {
  const { referer } = headers
  return (
    httpVersion === '1.0' ||
    Object.keys(headers).some(name => /^(?:forwarded$|via$|x-forwarded-)/.test(name)) ||
    (referer !== undefined && !isLoopbackHost(/^https?:\/\/([^/]*)/.exec(referer)?.[1]))
  )
}
