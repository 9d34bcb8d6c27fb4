import { setTimeout as sleep } from 'node:timers/promises'
import type { Options } from './api.ts'
import { openSession, type Session } from './connect.ts'

type Role = Options['role']

// Two-key locks are separate from the one-key locks that the service may use.
const lockSpace = 0x51_1b
/** The owner holds its lock alone. Guests share theirs; a process that wants to stop the server takes it alone. */
const lockKeys: Record<Role, number> = { owner: 1, guest: 2 }

/** Becomes the owner or a guest for as long as the session lives. False while a conflicting lock is held. */
export function tryTakeRole(session: Session, role: Role): Promise<boolean> {
  return role === 'owner' ? tryLock(session, 'owner') : tryLockShared(session, 'guest')
}

export async function giveUpOwnership(session: Session): Promise<void> {
  await session.query('SELECT pg_advisory_unlock($1, $2)', [lockSpace, lockKeys.owner])
}

/** Keeps new guests out, if there are none at the moment. */
export function tryLockOutGuests(session: Session): Promise<boolean> {
  return tryLock(session, 'guest')
}

/** Waits until all guests have left, then keeps new ones out. New guests cannot overtake it in PostgreSQL's queue. */
export async function waitForGuests(session: Session, timeoutMs: number): Promise<boolean> {
  await session.query(`SET lock_timeout = ${timeoutMs}`)
  try {
    await session.query('SELECT pg_advisory_lock($1, $2)', [lockSpace, lockKeys.guest])
    return true
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') return false
    throw error
  }
}

/** Whether neither an owner nor another guest uses the server. If so, none can join before the session ends. */
export async function lockIfUnused(session: Session): Promise<boolean> {
  // Releasing the shared lock first lets one of two guests that leave together take the lock alone.
  await session.query('SELECT pg_advisory_unlock_shared($1, $2)', [lockSpace, lockKeys.guest])
  return (await tryLock(session, 'owner')) && (await tryLock(session, 'guest'))
}

/** Describes a process that holds the lock of a role, for the operator. */
export async function findHolder(session: Session, role: Role): Promise<string> {
  const { rows } = await session.query(
    `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND objsubid = 2 AND granted LIMIT 1`,
    [lockSpace, lockKeys[role]],
  )
  return rows[0]?.name ?? 'unknown process'
}

async function tryLock(session: Session, role: Role): Promise<boolean> {
  const { rows } = await session.query('SELECT pg_try_advisory_lock($1, $2) AS locked', [
    lockSpace,
    lockKeys[role],
  ])
  return rows[0].locked
}

async function tryLockShared(session: Session, role: Role): Promise<boolean> {
  const { rows } = await session.query('SELECT pg_try_advisory_lock_shared($1, $2) AS locked', [
    lockSpace,
    lockKeys[role],
  ])
  return rows[0].locked
}

interface KeptRole {
  /** Stops retaking the role and returns the session that holds it, if there is one. */
  stop(): Session | undefined
}

/** The types of `pg` omit these two methods. */
type SessionWithRef = Session & { ref(): void; unref(): void }

/** Keeps a role that a session has taken: if the server dies and the session is lost, takes the role again. */
export function keepRole(first: Session, role: Role, socketFolder: string): KeptRole {
  let session: SessionWithRef | undefined
  let stopped = false
  hold(first)
  return {
    stop() {
      stopped = true
      session?.ref()
      return session
    },
  }

  function hold(holder: Session) {
    session = holder as SessionWithRef
    // The session must not keep alive a command that has nothing else to do.
    session.unref()
    holder.once('end', () => {
      session = undefined
      retake()
    })
  }

  async function retake() {
    while (!stopped) {
      const next = await openSession(socketFolder).catch(() => undefined)
      const taken = next && (await tryTakeRole(next, role).catch(() => false))
      if (taken && !stopped) return hold(next)
      await next?.end().catch(() => {})
      await sleep(50, undefined, { ref: false })
    }
  }
}
