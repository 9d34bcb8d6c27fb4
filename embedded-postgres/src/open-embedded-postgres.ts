import { setTimeout as sleep } from 'node:timers/promises'
import {
  type EmbeddedPostgres,
  EmbeddedPostgresError,
  explainFailure,
  type Log,
  type Options,
} from './api.ts'
import { type DataDir, openDataDir } from './data-dir.ts'
import {
  connectionTo,
  ensureDatabase,
  findHolder,
  keepRole,
  lockIfUnused,
  openSession,
  type Session,
  tryLock,
  tryTakeRole,
} from './lock.ts'
import { findRunning, isPostgresOf, stopServer, waitUntil } from './postmaster.ts'
import { type Overrides, prepare, type Setup } from './prepare.ts'
import { type StartedServer, startServer, supervise } from './server.ts'

export { EmbeddedPostgresError, type Log } from './api.ts'
export { openDataDir } from './data-dir.ts'

const OPEN_MS_MAX = 90_000
const CONNECT_MS_MAX = 60_000
/** Longer than an owner takes to lock a server that it has just started or restarted. */
const CLAIM_MS = 250
/** An owner that has just stopped or was killed may hold its lock for a moment. */
const OWNER_MS_MAX = 3_000
const GUESTS_MS_MAX = 60_000

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
  const deadline = Date.now() + OPEN_MS_MAX
  // Each round returns a server, or starts over because another process changed what this one had found.
  while (Date.now() < deadline) {
    const dataDir = await openDataDir(options.dataDir)
    if (await findRunning(dataDir.pgdata)) {
      const joined = await (options.role === 'guest' ? join(dataDir) : stopOrphan(dataDir, options.log))
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
    await takeRole(dataDir, session, role)
    await ensureDatabase(session)
  } catch (error) {
    const wasStopped = !(await session.query('SELECT 1').catch(() => undefined))
    await session.end().catch(() => {})
    await server.stop()
    if (wasStopped) return undefined
    throw error
  }
  const { path, pgdata } = dataDir
  log.info({ dataDir: path, pgdata, runsAs: runAs.name, pid: server.pid }, 'PostgreSQL started')
  const release = keepRole(session, role, socketFolder)
  const supervised = supervise(server, setup, log)
  return {
    connection: connectionTo(socketFolder),
    startedHere: true,
    async stop() {
      const last = release()
      const isShared = role === 'guest' && last && !(await lockIfUnused(last).catch(() => true))
      if (isShared) supervised.detach()
      else await supervised.stop()
      await last?.end().catch(() => {})
    },
  }
}

/** Joins the running server as a guest. Undefined if the server stops before it can be used. */
async function join(dataDir: DataDir): Promise<EmbeddedPostgres | undefined> {
  const running = await connectToRunning(dataDir)
  if (!running) return undefined
  const { session, socketFolder } = running
  // The lock is refused while another process is about to stop the server; the caller then looks again.
  const isGuest = await tryTakeRole(session, 'guest').catch(() => false)
  if (!isGuest || !(await ensureDatabase(session).then(() => true, isConnectionLost))) {
    await session.end().catch(() => {})
    await sleep(50)
    return undefined
  }
  const release = keepRole(session, 'guest', socketFolder)
  return {
    connection: connectionTo(socketFolder),
    startedHere: false,
    async stop() {
      const last = release()
      // The guest that started the server may have left before us.
      if (last && (await lockIfUnused(last).catch(() => false))) await stopRunning(dataDir, last)
      await last?.end().catch(() => {})
    },
  }
}

/**
 * Stops a running server that has no living owner, such as one left behind by a killed service. Guests may finish
 * first. Throws if the server has an owner.
 */
async function stopOrphan(dataDir: DataDir, log: Log): Promise<undefined> {
  const running = await connectToRunning(dataDir)
  if (!running) return
  const { session } = running
  try {
    await sleep(CLAIM_MS)
    await takeRole(dataDir, session, 'owner')
    if (!(await tryLock(session, 'guest', 'alone'))) {
      log.warn({ dataDir: dataDir.path }, 'waiting for a Slipway command that is using DATA_DIR to finish')
      const isUnused = () => tryLock(session, 'guest', 'alone')
      if (!(await waitUntil(isUnused, { timeoutMs: GUESTS_MS_MAX })))
        throw await inUseError(dataDir, session, 'guest')
    }
    log.warn({ dataDir: dataDir.path }, 'stopping a PostgreSQL that a killed Slipway left running')
    await stopRunning(dataDir, session)
  } catch (error) {
    // If the server stops during this, nothing is left to do; the caller looks again at what is running.
    if (error instanceof EmbeddedPostgresError) throw error
    await sleep(100)
  } finally {
    await session.end().catch(() => {})
  }
}

async function takeRole(dataDir: DataDir, session: Session, role: Options['role']): Promise<void> {
  if (await waitUntil(() => tryTakeRole(session, role), { timeoutMs: OWNER_MS_MAX })) return
  throw await inUseError(dataDir, session, role)
}

async function inUseError({ path }: DataDir, session: Session, role: Options['role']) {
  const holder = await findHolder(session, role).catch(() => 'unknown process')
  return new EmbeddedPostgresError(
    `DATA_DIR ${path} is in use by another running Slipway (${holder}): stop that one, or set a different DATA_DIR for this one.`,
  )
}

/** Opens a session on the running server once it is ready. Undefined if the server has stopped. */
async function connectToRunning({ path, pgdata }: DataDir) {
  const deadline = Date.now() + CONNECT_MS_MAX
  while (Date.now() < deadline) {
    const running = await findRunning(pgdata)
    if (!running) return undefined
    const { ready, socketFolder } = running
    if (ready && socketFolder) {
      const session = await openSession(socketFolder).catch(() => undefined)
      if (session) return { session, socketFolder }
    }
    await sleep(25)
  }
  throw new EmbeddedPostgresError(
    `DATA_DIR ${path} has a running PostgreSQL that does not respond: stop that process, then start again.`,
  )
}

function isConnectionLost(error: unknown): false {
  // A refused statement has severity ERROR. A lost connection has no severity, or FATAL.
  const { severity } = error as { severity?: string }
  if (severity === 'ERROR') throw error
  return false
}

/** Stops the server of this session, which is not our child process. */
async function stopRunning({ path, pgdata }: DataDir, session: Session): Promise<void> {
  // We ask the server for its id, because the file on disk may already belong to the next server.
  const { rows } = await session.query(
    "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid",
  )
  const { pid } = rows[0]
  const isRunning = () => isPostgresOf(pgdata, pid)
  if ((await isRunning()) && (await stopServer(pid, isRunning))) return
  throw new EmbeddedPostgresError(
    `DATA_DIR ${path} has a running PostgreSQL that cannot be stopped from here, perhaps because it runs in another container: stop it, then start again.`,
  )
}
