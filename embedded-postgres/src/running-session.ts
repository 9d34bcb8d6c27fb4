import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError } from './clear-error.ts'
import type { Place } from './data-dir.ts'
import { findHolder } from './locks.ts'
import { findRunning, isPostgresOf } from './postmaster.ts'
import { openSession, type Session } from './session.ts'
import { stopServer } from './stop-server.ts'

const answerTimeoutMs = 60_000

/** A session on the running server once it is ready; undefined when it ended meanwhile. */
export async function openRunningSession(
  place: Place,
): Promise<{ session: Session; socketFolder: string } | undefined> {
  const deadline = Date.now() + answerTimeoutMs
  while (Date.now() < deadline) {
    const running = await findRunning(place.pgdata)
    if (!running) return undefined
    if (running.ready && running.socketFolder) {
      const session = await openSession(running.socketFolder).catch(() => undefined)
      if (session) return { session, socketFolder: running.socketFolder }
    }
    await sleep(25)
  }
  throw new EmbeddedPostgresError(
    `DATA_DIR ${place.named} has a PostgreSQL running that does not answer: end that process, then start again.`,
  )
}

/** Stops the server of this session, which is not our child. */
export async function endRunning({ named, pgdata }: Place, session: Session): Promise<void> {
  // Asked of the server itself: the file may by now be that of the next one, which is somebody else's.
  const { rows } = await session.query(
    "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int AS pid",
  )
  const { pid } = rows[0]
  const isThere = () => isPostgresOf(pgdata, pid)
  if ((await isThere()) && (await stopServer(pid, isThere))) return
  throw new EmbeddedPostgresError(
    `DATA_DIR ${named} has a PostgreSQL running that cannot be stopped from here, perhaps in another container: stop it, then start again.`,
  )
}

export async function inUse(place: Place, session: Session, lock: number): Promise<EmbeddedPostgresError> {
  const holder = await findHolder(session, lock).catch(() => 'unknown process')
  return new EmbeddedPostgresError(
    `DATA_DIR ${place.named} is in use by another running Slipway (${holder}): stop that one, or give this one a DATA_DIR of its own.`,
  )
}
