import { chmod, chown, lstat, mkdir, realpath } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { EmbeddedPostgresError } from './api.ts'
import { hashPath } from './data-dir.ts'
import type { Account } from './run-as.ts'

export type Session = pg.Client

export const user = 'slipway'
const port = 5432
const database = 'slipway'
const socketPathBytesMax = process.platform === 'linux' ? 107 : 103

/** The connection options that callers get. */
export function connectionTo(socketFolder: string) {
  // Without an explicit `ssl`, `pg` would read PGSSLMODE, which is meant for another server.
  return { host: socketFolder, port, user, database, ssl: false as const }
}

/**
 * Opens a session for the locks, separate from the caller's connections. An advisory lock belongs to one database, so
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

export function socketPath(folder: string): string {
  return join(folder, `.s.PGSQL.${port}`)
}

/** Returns a private folder for the socket: the database folder or, if that path is too long, a temporary folder. */
export async function openSocketFolder(pgdata: string, { uid, gid }: Account): Promise<string> {
  if (fits(pgdata)) return pgdata
  const folder = join(await temporaryFolder(), `slipway-${hashPath(pgdata)}`)
  await mkdir(folder, { mode: 0o700 }).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(folder)
  // Any user can write to the temporary folder, and a folder made by another user would give them the database.
  const trusted = [process.getuid?.(), uid]
  if (!found.isDirectory() || !trusted.includes(found.uid)) {
    throw new EmbeddedPostgresError(
      `The folder ${folder} belongs to another user: remove it, or choose a DATA_DIR with a shorter path.`,
    )
  }
  await chmod(folder, 0o700)
  if (found.uid !== uid) await chown(folder, uid, gid)
  return folder
}

async function temporaryFolder(): Promise<string> {
  const folder = await realpath(tmpdir()).catch(() => '/tmp')
  return fits(join(folder, 'slipway-0123456789abcdef')) ? folder : '/tmp'
}

function fits(folder: string): boolean {
  return Buffer.byteLength(socketPath(folder)) <= socketPathBytesMax
}
