import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedPostgresError } from './clear-error.ts'
import type { Place } from './data-dir.ts'
import * as lock from './locks.ts'
import { endRunning, inUse, openRunningSession } from './running-session.ts'
import { type Session, until } from './session.ts'
import type { Log } from './types.ts'

const ownerTimeoutMs = 3_000
const guestsTimeoutMs = 60_000

/**
 * Ends a running server that no living Slipway owns, as a killed one leaves behind; fails when one does.
 * Commands that use the server may finish first.
 */
export async function replaceOrphan(place: Place, log: Log): Promise<undefined> {
  const running = await openRunningSession(place)
  if (!running) return
  const { session } = running
  try {
    await claim(place, session)
    // A service that is just starting takes the lock as its server gets ready: it may have it.
    await lock.unlock(session, lock.owner)
    await sleep(250)
    await claim(place, session)
    await outwaitGuests(place, session, log)
    log.warn(
      { dataDir: place.named },
      'PostgreSQL was left running by a Slipway that was killed, stopping it',
    )
    await endRunning(place, session)
  } catch (error) {
    // A server that goes away under us is what we wanted; the caller looks again who comes next.
    if (error instanceof EmbeddedPostgresError) throw error
    await sleep(100)
  } finally {
    await session.end().catch(() => {})
  }
}

async function claim(place: Place, session: Session): Promise<void> {
  if (await until(ownerTimeoutMs, () => lock.tryLock(session, lock.owner))) return
  throw await inUse(place, session, lock.owner)
}

async function outwaitGuests(place: Place, session: Session, log: Log): Promise<void> {
  if (await lock.tryLock(session, lock.guests)) return
  log.warn({ dataDir: place.named }, 'waiting for a Slipway command that uses DATA_DIR to finish')
  if (await lock.waitForLock(session, lock.guests, guestsTimeoutMs)) return
  throw await inUse(place, session, lock.guests)
}
