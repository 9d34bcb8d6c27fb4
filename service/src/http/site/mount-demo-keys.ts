import { ServiceError } from '@slipway/schema/errors'
import type { Network } from '@slipway/schema/network'
import type { FastifyInstance } from 'fastify'

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

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Serves the demo's keys to our own pages alone. The service listens on loopback, so only this machine reaches it. The `Host`
 * check stops names that resolve to loopback, and `Sec-Fetch-Site` stops pages of other sites, which can't set it.
 */
export function mountDemoKeys(app: FastifyInstance, keys: DemoKeys): void {
  app.get(DEMO_KEYS_PATH, async ({ headers }, reply) => {
    if (!isLoopbackHost(headers.host) || headers['sec-fetch-site'] !== 'same-origin')
      throw new ServiceError('NOT_FOUND')
    return reply
      .removeHeader('Access-Control-Allow-Origin')
      .removeHeader('Access-Control-Expose-Headers')
      .header('Cache-Control', 'no-store')
      .send(keys)
  })
}

const isLoopbackHost = (host = '') => LOOPBACK.has(host.replace(/:\d+$/, '').toLowerCase())
