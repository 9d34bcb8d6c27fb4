import { claimUnused, takeAsGuest } from './join-as-guest.ts'
import { keepLock } from './keep-lock.ts'
import * as lock from './locks.ts'
import { connectionTo, createOurDatabase } from './our-database.ts'
import { inUse } from './running-session.ts'
import { type Session, until } from './session.ts'
import type { Setup } from './setup.ts'
import type { Started } from './start-server.ts'
import { supervise } from './supervise.ts'
import type { EmbeddedPostgres, Options } from './types.ts'

const takeAsOwner = (session: Session) => lock.tryLock(session, lock.owner)
const claimTimeoutMs = 3_000

/** Makes the server we started ours; undefined when another start took it for an orphan and ended it. */
export async function claimStarted(
  { server, session }: Started,
  setup: Setup,
  { role, log }: Options,
): Promise<EmbeddedPostgres | undefined> {
  const { place, socketFolder, runAs } = setup
  const take = role === 'owner' ? takeAsOwner : takeAsGuest
  try {
    if (!(await until(claimTimeoutMs, () => take(session)))) {
      throw await inUse(place, session, role === 'owner' ? lock.owner : lock.guests)
    }
    await createOurDatabase(session)
  } catch (error) {
    const wasEnded = !(await session.query('SELECT 1').catch(() => undefined))
    await session.end().catch(() => {})
    await server.stop()
    if (wasEnded) return undefined
    throw error
  }
  log.info(
    { dataDir: place.named, pgdata: setup.pgdata, runsAs: runAs.name, pid: server.pid },
    'PostgreSQL started',
  )
  const kept = keepLock(session, { socketFolder, take })
  const supervised = supervise(server, setup, log)
  return {
    connection: connectionTo(socketFolder),
    how: 'started',
    async stop() {
      const last = kept.settle()
      if (role === 'guest' && last && !(await claimUnused(last).catch(() => true))) supervised.leave()
      else await supervised.stop()
      await last?.end().catch(() => {})
    },
  }
}
