import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { EmbeddedPostgres, Options } from './api.ts'

export type Session = pg.Client
type Role = Options['role']

export const user = 'slipway'
const port = 5432
const database = 'slipway'

export const socketName = `.s.PGSQL.${port}`

/** The connection options that callers get. */
export const connectionTo = (socketFolder: string): EmbeddedPostgres['connection'] =>
  // Without an explicit `ssl`, `pg` would read PGSSLMODE, which is meant for another server.
  ({ host: socketFolder, port, user, database, ssl: false })

/**
 * Opens a session for the lock, separate from the caller's connections. An advisory lock belongs to one database, so
 * every session uses the same one.
 */
export async function openSession(socketFolder: string): Promise<Session> {
  const session = new pg.Client({
    ...connectionTo(socketFolder),
    database: 'postgres',
    application_name: `Slipway process ${process.pid} on ${hostname()}`,
    connectionTimeoutMillis: 2_000,
  })
  // The holder of the session listens for 'end'; an 'error' event without a listener would end the process.
  session.on('error', () => {})
  await session.connect()
  return session
}

export async function ensureDatabase(session: Session): Promise<void> {
  const { rowCount } = await session.query('SELECT FROM pg_database WHERE datname = $1', [database])
  if (rowCount) return
  await session.query(`CREATE DATABASE ${database}`).catch(error => {
    // Another process created it at the same time: 42P04 if it is complete, 23505 if it is about to be.
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}

// Two-key locks are separate from the one-key locks that the service may use.
const LOCK_SPACE = 0x51_1b
const KEYS: Record<Role, number> = { owner: 1, guest: 2 }

/**
 * Locks a role for as long as the session lives; false while a conflicting lock is held. One owner has its lock alone, and guests
 * share theirs. To stop a server, a process takes both exclusively, so that no other process uses it or can begin to.
 */
export async function tryLock(session: Session, role: Role, mode: 'shared' | 'alone'): Promise<boolean> {
  const { rows } = await session.query(
    `SELECT pg_try_advisory_lock${mode === 'shared' ? '_shared' : ''}($1, $2) AS locked`,
    [LOCK_SPACE, KEYS[role]],
  )
  return rows[0].locked
}

export const tryTakeRole = (session: Session, role: Role): Promise<boolean> =>
  tryLock(session, role, role === 'owner' ? 'alone' : 'shared')

/** Whether a guest that leaves is the last user of the server. If so, no other can join before its session ends. */
export async function lockIfUnused(session: Session): Promise<boolean> {
  // Releasing the shared lock first lets one of two guests that leave together take the lock alone.
  await session.query('SELECT pg_advisory_unlock_shared($1, $2)', [LOCK_SPACE, KEYS.guest])
  return (await tryLock(session, 'owner', 'alone')) && (await tryLock(session, 'guest', 'alone'))
}

/** Describes a process that has locked a role, for the operator. */
export async function findHolder(session: Session, role: Role): Promise<string> {
  const { rows } = await session.query(
    `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND objsubid = 2 AND granted LIMIT 1`,
    [LOCK_SPACE, KEYS[role]],
  )
  return rows[0]?.name ?? 'unknown process'
}

/** The types of `pg` omit these two methods. */
type SessionWithRef = Session & { ref(): void; unref(): void }

/**
 * Keeps a role that a session has taken: if the server dies and the session is lost, takes the role again. The returned function
 * ends this, and returns the session that holds the role, if there is one.
 */
export function keepRole(first: Session, role: Role, socketFolder: string): () => Session | undefined {
  let session: SessionWithRef | undefined
  let isStopped = false
  hold(first)

  function hold(holder: Session) {
    session = holder as SessionWithRef
    // The session must not keep alive a command that has nothing else to do.
    session.unref()
    holder.once('end', () => {
      session = undefined
      void retake()
    })
  }

  async function retake() {
    while (!isStopped) {
      const next = await openSession(socketFolder).catch(() => undefined)
      if (next && (await tryTakeRole(next, role).catch(() => false)) && !isStopped) return hold(next)
      await next?.end().catch(() => {})
      await sleep(50, undefined, { ref: false })
    }
  }

  return () => {
    isStopped = true
    session?.ref()
    return session
  }
}
