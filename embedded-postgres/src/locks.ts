import type { Session } from './session.ts'

/** Held by a living service: there is one to a database. */
export const owner = 1
/** Shared by the commands that use a server; whoever wants to stop it takes it alone. */
export const guests = 2

// The two-number locks are a space apart from the one-number locks that the service may use.
const space = 0x51_1b

export async function tryLock(session: Session, lock: number): Promise<boolean> {
  const { rows } = await session.query('SELECT pg_try_advisory_lock($1, $2) AS got', [space, lock])
  return rows[0].got
}

export async function tryLockShared(session: Session, lock: number): Promise<boolean> {
  const { rows } = await session.query('SELECT pg_try_advisory_lock_shared($1, $2) AS got', [space, lock])
  return rows[0].got
}

/** Waits in the queue, so that later commands cannot overtake it forever. */
export async function waitForLock(session: Session, lock: number, timeoutMs: number): Promise<boolean> {
  await session.query(`SET lock_timeout = ${timeoutMs}`)
  try {
    await session.query('SELECT pg_advisory_lock($1, $2)', [space, lock])
    return true
  } catch (error) {
    if ((error as { code?: string }).code === '55P03') return false
    throw error
  }
}

export async function unlock(session: Session, lock: number): Promise<void> {
  await session.query('SELECT pg_advisory_unlock($1, $2)', [space, lock])
}

export async function unlockShared(session: Session, lock: number): Promise<void> {
  await session.query('SELECT pg_advisory_unlock_shared($1, $2)', [space, lock])
}

/** Who holds a lock, in words for the operator. */
export async function findHolder(session: Session, lock: number): Promise<string> {
  const { rows } = await session.query(
    `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND objsubid = 2 AND granted LIMIT 1`,
    [space, lock],
  )
  return rows[0]?.name ?? 'unknown process'
}
