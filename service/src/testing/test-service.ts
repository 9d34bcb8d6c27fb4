import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, onTestFinished } from 'vitest'
import { createService } from '../app/create-service.ts'
import { SERVICE_LIMITS, type ServiceLimits } from '../app/limits.ts'
import { describeSite, type EmbeddedChains } from '../boot/describe-site.ts'
import { loadSite } from '../boot/load-site.ts'
import { RPC_LIMITS } from '../chain/rpc/limits.ts'
import { type Config, parseConfig } from '../config.ts'
import type { SiteBuild } from '../http/site/site-build.ts'
import { createShutdownList, type ShutdownList } from '../shutdown.ts'
import type { SocialSettings } from '../social/social.ts'
import type { ConnectionOptions } from '../store/database.ts'
import { insertLaunches, type NewLaunch, type NewToken } from '../store/launches.ts'
import { createLog, type Log } from '../telemetry/log.ts'
import { rawRequest } from './raw-request.ts'
import { createTestConnection, createTestDatabase, MIGRATED } from './test-database.ts'

/** Nothing listens at this URL. */
export const TEST_SOCIAL: SocialSettings = {
  apiUrl: 'http://127.0.0.1:9',
  tokenSecret: 'a secret that only the tests know of',
  tokenSecretPrevious: undefined,
}

/** Of every test service, unless a test waits for a limit. Tests must not run into one, however busy the machine is. */
const PATIENT: Partial<ServiceLimits> = {
  requestMs: 30_000,
  searchMs: 20_000,
  connectMs: 30_000,
  statementMs: 30_000,
  rpc: { attemptMs: 10_000, totalMs: 30_000 },
}

/** For tests whose chain never answers: they need not wait any longer than the service does. */
export const CHAIN_ENDS: Partial<ServiceLimits> = { searchMs: SERVICE_LIMITS.searchMs, rpc: RPC_LIMITS }

/** A part that hangs is noticed, and one that is slow on a busy machine may finish. */
const STOPPED_MS_MAX = 20_000
const ALL_STOPPED_MS_MAX = 60_000

/** Takes seconds, and over a minute if the machine is very busy. */
const SITE_BUILD_MS_MAX = 110_000

interface TestServiceOptions {
  launches?: { launch: NewLaunch; token: NewToken }[]
  connection?: ConnectionOptions
  config?: Partial<Config>
  social?: Partial<SocialSettings>
  limits?: Partial<ServiceLimits>
  /** Whether pages are served too. Building them takes seconds, once. */
  site?: boolean
  /** Makes another build of the one from the sources. */
  changeBuild?(build: SiteBuild): SiteBuild
  /** For pages with a demo wallet. */
  chains?: EmbeddedChains
}

/** Starts a whole node of the service on its own database and port, and stops it when the test ends. */
export async function startTestService(options: TestServiceOptions = {}) {
  const service = await openTestService(options)
  onTestFinished(service.stop)
  return service
}

/**
 * One patient service for all tests of a file, which must not disturb each other. Its options are read before the
 * first.
 */
export function useTestService(options: () => TestServiceOptions = () => ({})) {
  let service: Awaited<ReturnType<typeof openTestService>>
  beforeAll(async () => {
    let dropDatabase = async () => {}
    const given = options()
    const connection =
      given.connection ??
      (await createTestConnection(drop => {
        dropDatabase = drop
      }, MIGRATED))
    service = await openTestService({ ...given, connection })
    return async () => {
      await service.stop()
      await dropDatabase()
    }
  })
  return () => service
}

/** One for all files of a worker: looking for the build takes a process of its own. */
let siteBuild: ReturnType<typeof loadSite> | undefined

/** Error pages are there once other pages can be rendered. Until then, a missing page is reported as JSON. */
async function rendersPages(url: string): Promise<void> {
  const isReady = async () => {
    const { headers } = await rawRequest(url, '/missing', { headers: { Accept: 'text/html' } })
    return headers['content-type']?.startsWith('text/html') === true
  }
  while (!(await isReady())) await setTimeout(50)
}

/** One for all services of a worker: each log looks five times a second for lines to write, until its process ends. */
let silentLog: Log | undefined

/** The same for several tests: the caller must stop it. */
export async function openTestService(options: TestServiceOptions) {
  const connection = options.connection ?? (await createTestDatabase()).connection
  const config: Config = {
    ...parseConfig({ PUBLIC_URL: 'https://slipway.example' }),
    rateLimits: { reads: 0, writes: 0, chainReads: 0, checks: 0 },
    // Off unless a test turns it on, because it can write at any time.
    indexer: false,
    tradesPerSecond: 0,
    // Created only by a service with many launches.
    dataDir: join(tmpdir(), `slipway-data-${randomUUID()}`),
    ...options.config,
  }
  const stops = createShutdownList((part, error) => {
    throw new Error(`${part} did not stop`, { cause: error })
  }, ALL_STOPPED_MS_MAX)
  const shutdown: ShutdownList = { ...stops, add: (part, stop) => stops.add(part, stop, STOPPED_MS_MAX) }
  silentLog ??= createLog('silent')
  const log = silentLog
  if (options.site) siteBuild ??= loadSite(log, AbortSignal.timeout(SITE_BUILD_MS_MAX))
  const { changeBuild = build => build } = options
  const build = options.site ? siteBuild?.then(built => built && changeBuild(built)) : undefined
  if (build && !(await build)) siteBuild = undefined
  const service = createService(config, connection, {
    log,
    site: build && { build, ...describeSite(config, options.chains) },
    shutdown,
    social: { ...TEST_SOCIAL, ...options.social },
    limits: { ...PATIENT, ...options.limits, rpc: { ...PATIENT.rpc, ...options.limits?.rpc } },
  })
  if (options.launches) await insertLaunches(service.database, options.launches)
  await service.load()
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  if (options.site && !options.changeBuild) await rendersPages(url)
  async function stop() {
    await shutdown.run()
    if (!options.config?.dataDir) await rm(config.dataDir, { recursive: true, force: true })
  }
  return { ...service, url, connection, stop }
}
