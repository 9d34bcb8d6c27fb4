import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedPostgres, EmbeddedPostgresError, type Log, type Options } from './api.ts'
import { connectionTo, ensureDatabase, openSession, type Session } from './connect.ts'
import type { DataDir } from './data-dir.ts'
import {
  findHolder,
  giveUpOwnership,
  keepRole,
  lockIfUnused,
  tryLockOutGuests,
  tryTakeRole,
  waitForGuests,
} from './locks.ts'
import { findRunning, isPostgresOf, stopServer, waitUntil } from './postmaster.ts'

const connectTimeoutMs = 60_000
const ownerTimeoutMs = 3_000
const guestsTimeoutMs = 60_000

/** Joins the running server as a guest. Undefined if the server stops before it can be used. */
export async function joinServer(dataDir: DataDir): Promise<EmbeddedPostgres | undefined> {
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
  const kept = keepRole(session, 'guest', socketFolder)
  return {
    connection: connectionTo(socketFolder),
    startedHere: false,
    async stop() {
      const last = kept.stop()
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
export async function stopOrphan(dataDir: DataDir, log: Log): Promise<undefined> {
  const running = await connectToRunning(dataDir)
  if (!running) return
  const { session } = running
  try {
    await takeOwnership(dataDir, session)
    // An owner that is still starting takes the lock as soon as its server is ready, so we let it go first.
    await giveUpOwnership(session)
    await sleep(250)
    await takeOwnership(dataDir, session)
    await lockOutGuests(dataDir, session, log)
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

export async function inUseError(
  dataDir: DataDir,
  session: Session,
  role: Options['role'],
): Promise<EmbeddedPostgresError> {
  const holder = await findHolder(session, role).catch(() => 'unknown process')
  return new EmbeddedPostgresError(
    `DATA_DIR ${dataDir.path} is in use by another running Slipway (${holder}): stop that one, or set a different DATA_DIR for this one.`,
  )
}

/** Opens a session on the running server once it is ready. Undefined if the server has stopped. */
async function connectToRunning(
  dataDir: DataDir,
): Promise<{ session: Session; socketFolder: string } | undefined> {
  const deadline = Date.now() + connectTimeoutMs
  while (Date.now() < deadline) {
    const running = await findRunning(dataDir.pgdata)
    if (!running) return undefined
    if (running.ready && running.socketFolder) {
      const session = await openSession(running.socketFolder).catch(() => undefined)
      if (session) return { session, socketFolder: running.socketFolder }
    }
    await sleep(25)
  }
  throw new EmbeddedPostgresError(
    `DATA_DIR ${dataDir.path} has a running PostgreSQL that does not respond: stop that process, then start again.`,
  )
}

function isConnectionLost(error: unknown): false {
  // A refused statement has severity ERROR. A lost connection has no severity, or FATAL.
  const { severity } = error as { severity?: string }
  if (severity === 'ERROR') throw error
  return false
}

async function takeOwnership(dataDir: DataDir, session: Session): Promise<void> {
  if (await waitUntil(() => tryTakeRole(session, 'owner'), { timeoutMs: ownerTimeoutMs })) return
  throw await inUseError(dataDir, session, 'owner')
}

async function lockOutGuests(dataDir: DataDir, session: Session, log: Log): Promise<void> {
  if (await tryLockOutGuests(session)) return
  log.warn({ dataDir: dataDir.path }, 'waiting for a Slipway command that is using DATA_DIR to finish')
  if (await waitForGuests(session, guestsTimeoutMs)) return
  throw await inUseError(dataDir, session, 'guest')
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
