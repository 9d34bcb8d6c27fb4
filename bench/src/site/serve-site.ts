import { createService } from '@slipway/service/app/create-service'
import { describeSite } from '@slipway/service/boot/describe-site'
import { loadSite } from '@slipway/service/boot/load-site'
import { parseConfig } from '@slipway/service/config'
import { createShutdownList } from '@slipway/service/shutdown'
import type { ConnectionOptions } from '@slipway/service/store/database'
import { createLog } from '@slipway/service/telemetry/log'
import { NO_FOLDER, RATE_LIMITS, SOCIAL_SETTINGS } from '../lib/server-parts.ts'

const BUILD_MS_MAX = 300_000

/** A whole node with its pages, on a real database and without a chain. */
export async function serveSite(connection: ConnectionOptions): Promise<number> {
  const config = {
    ...parseConfig({ PUBLIC_URL: 'http://localhost' }),
    dataDir: NO_FOLDER,
    rateLimits: RATE_LIMITS,
    indexer: false,
    rpcUrls: { 'chain-mainnet': ['http://127.0.0.1:9'], 'chain-devnet': ['http://127.0.0.1:9'] },
  }
  const log = createLog('info')
  const build = loadSite(log, AbortSignal.timeout(BUILD_MS_MAX))
  await build
  const { app, load } = createService(config, connection, {
    log,
    site: { build, ...describeSite(config, undefined) },
    shutdown: createShutdownList(() => {}),
    social: SOCIAL_SETTINGS,
  })
  await load()
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as { port: number }).port
}
