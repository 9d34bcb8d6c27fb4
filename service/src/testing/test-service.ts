import { onTestFinished } from 'vitest'
import { type Config, readConfig } from '../config.ts'
import { createContext } from '../app/create-service.ts'
import type { IndexerLimits } from '../indexer/limits.ts'
import { createLog } from '../telemetry/log.ts'
import { createShutdownList } from '../shutdown.ts'
import type { SocialSettings } from '../social/social.ts'
import type { ConnectionOptions } from '../store/database.ts'
import { insertLaunches, type NewLaunch, type NewToken } from '../store/launches.ts'
import { createTestDatabase } from './test-database.ts'

/** Nobody listens there. */
export const TEST_SOCIAL: SocialSettings = {
  apiUrl: 'http://127.0.0.1:9',
  tokenSecret: 'a secret that only the tests know of',
  tokenSecretPrevious: undefined,
}

/** A whole node of the service on a database and a port of its own, stopped when the test ends. */
export async function startTestService(
  options: {
    launches?: { launch: NewLaunch; token: NewToken }[]
    connection?: ConnectionOptions
    config?: Partial<Config>
    social?: Partial<SocialSettings>
    indexerLimits?: Partial<IndexerLimits>
  } = {},
) {
  const connection = options.connection ?? (await createTestDatabase()).connection
  const config: Config = {
    ...readConfig({ PUBLIC_URL: 'https://slipway.example', LOG_LEVEL: 'silent' }),
    rateLimits: { reads: 0, writes: 0 },
    // Only for those who ask for it: it writes whenever it sees fit.
    indexer: false,
    ...options.config,
  }
  const shutdown = createShutdownList((part, error) => {
    throw new Error(`${part} did not stop`, { cause: error })
  })
  onTestFinished(() => shutdown.run())
  const context = createContext(config, connection, {
    log: createLog(config.logLevel),
    shutdown,
    social: { ...TEST_SOCIAL, ...options.social },
    ...(options.indexerLimits && { indexerLimits: options.indexerLimits }),
  })
  if (options.launches) await insertLaunches(context.database, options.launches)
  await context.load()
  const url = await context.app.listen({ port: 0, host: '127.0.0.1' })
  return { ...context, url, connection, stop: () => shutdown.run() }
}
