import { setTimeout as sleep } from 'node:timers/promises'
import type { Place } from './data-dir.ts'
import { keepLock } from './keep-lock.ts'
import * as lock from './locks.ts'
import { connectionTo, createOurDatabase } from './our-database.ts'
import { endRunning, openRunningSession } from './running-session.ts'
import type { Session } from './session.ts'
import type { EmbeddedPostgres } from './types.ts'

export const takeAsGuest = (session: Session) => lock.tryLockShared(session, lock.guests)

/** Uses the running server; undefined when it ends before it can be used. */
export async function joinAsGuest(place: Place): Promise<EmbeddedPostgres | undefined> {
  const running = await openRunningSession(place)
  if (!running) return undefined
  const { session, socketFolder } = running
  // Refused while somebody is about to stop the server: then the caller looks again.
  const isTaken = await takeAsGuest(session).catch(() => false)
  if (!isTaken || !(await createOurDatabase(session).then(() => true, isLost))) {
    await session.end().catch(() => {})
    await sleep(50)
    return undefined
  }
  const kept = keepLock(session, { socketFolder, take: takeAsGuest })
  return {
    connection: connectionTo(socketFolder),
    how: 'joined',
    async stop() {
      const last = kept.settle()
      // The command that started the server may have left it to us.
      if (last && (await claimUnused(last).catch(() => false))) await endRunning(place, last)
      await last?.end().catch(() => {})
    },
  }
}

function isLost(error: unknown): false {
  // What the server itself refuses has a severity; the end of a connection has not, or says that an admin did it.
  const { severity } = error as { severity?: string }
  if (severity === 'ERROR') throw error
  return false
}

/** Whether neither a service nor another command uses the server; if so, none can begin to before it ends. */
export async function claimUnused(session: Session): Promise<boolean> {
  // First given back, so that of two that leave together one gets it alone.
  await lock.unlockShared(session, lock.guests)
  return (await lock.tryLock(session, lock.owner)) && (await lock.tryLock(session, lock.guests))
}
