import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedPostgres, EmbeddedPostgresError, explainFailure, type Options } from './api.ts'
import { connectionTo, ensureDatabase } from './connect.ts'
import { openDataDir } from './data-dir.ts'
import { inUseError, joinServer, stopOrphan } from './existing-server.ts'
import { keepRole, lockIfUnused, tryTakeRole } from './locks.ts'
import { findRunning, waitUntil } from './postmaster.ts'
import { type Overrides, prepare, type Setup } from './prepare.ts'
import { type StartedServer, startServer, supervise } from './start-server.ts'

export { EmbeddedPostgresError, type Log } from './api.ts'
export { openDataDir } from './data-dir.ts'

const openTimeoutMs = 90_000
const claimTimeoutMs = 3_000

/** Runs a PostgreSQL server on DATA_DIR that is reachable only through a private socket. */
export async function openEmbeddedPostgres(
  options: Options,
  overrides: Overrides = {},
): Promise<EmbeddedPostgres> {
  try {
    return await open(options, overrides)
  } catch (error) {
    throw explainFailure(options.dataDir, error)
  }
}

async function open(options: Options, overrides: Overrides): Promise<EmbeddedPostgres> {
  const { role, log } = options
  const deadline = Date.now() + openTimeoutMs
  // Each round returns a server, or starts over because another process changed what this one had found.
  while (Date.now() < deadline) {
    const dataDir = await openDataDir(options.dataDir)
    if (await findRunning(dataDir.pgdata)) {
      const joined = role === 'guest' ? await joinServer(dataDir) : await stopOrphan(dataDir, log)
      if (joined) return joined
      continue
    }
    const setup = { ...(await prepare(dataDir, overrides)), connections: options.connections }
    const started = await startServer(setup)
    const claimed = started && (await claim(started, setup, options))
    if (claimed) return claimed
    await sleep(100)
  }
  throw new EmbeddedPostgresError(
    `DATA_DIR ${options.dataDir} is being started by several processes at once: start only one of them.`,
  )
}

/** Takes our role on the server we started. Undefined if another process took it for an orphan and stopped it. */
async function claim(
  { server, session }: StartedServer,
  setup: Setup,
  { role, log }: Options,
): Promise<EmbeddedPostgres | undefined> {
  const { dataDir, socketFolder, runAs } = setup
  try {
    if (!(await waitUntil(() => tryTakeRole(session, role), { timeoutMs: claimTimeoutMs }))) {
      throw await inUseError(dataDir, session, role)
    }
    await ensureDatabase(session)
  } catch (error) {
    const wasStopped = !(await session.query('SELECT 1').catch(() => undefined))
    await session.end().catch(() => {})
    await server.stop()
    if (wasStopped) return undefined
    throw error
  }
  log.info(
    { dataDir: dataDir.path, pgdata: dataDir.pgdata, runsAs: runAs.name, pid: server.pid },
    'PostgreSQL started',
  )
  const kept = keepRole(session, role, socketFolder)
  const supervised = supervise(server, setup, log)
  return {
    connection: connectionTo(socketFolder),
    startedHere: true,
    async stop() {
      const last = kept.stop()
      const isShared = role === 'guest' && last && !(await lockIfUnused(last).catch(() => true))
      if (isShared) supervised.detach()
      else await supervised.stop()
      await last?.end().catch(() => {})
    },
  }
}
