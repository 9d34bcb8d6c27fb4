import { user } from './create-database.ts'
import type { Session } from './session.ts'
import { port } from './socket-folder.ts'

const database = 'slipway'

export function connectionTo(socketFolder: string) {
  // Said aloud, as `pg` would otherwise take it from PGSSLMODE, which is meant for another server.
  return { host: socketFolder, port, user, database, ssl: false as const }
}

export async function createOurDatabase(session: Session): Promise<void> {
  const { rowCount } = await session.query('SELECT FROM pg_database WHERE datname = $1', [database])
  if (rowCount) return
  await session.query(`CREATE DATABASE ${database}`).catch(error => {
    // Another process made it in this moment: 42P04 if it is complete, 23505 if it is about to be.
    if (error.code !== '42P04' && error.code !== '23505') throw error
  })
}
