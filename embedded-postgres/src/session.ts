import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { user } from './create-database.ts'
import { port } from './socket-folder.ts'

export type Session = pg.Client

/** A session of our own beside the service's pool; advisory locks belong to one database, so all use the same. */
export async function openSession(socketFolder: string): Promise<Session> {
  const session = new pg.Client({
    host: socketFolder,
    port,
    user,
    database: 'postgres',
    ssl: false,
    application_name: `Slipway process ${process.pid} on ${hostname()}`,
    connectionTimeoutMillis: 2_000,
  })
  // Whoever holds the session notices its end; without a listener it would end the process.
  session.on('error', () => {})
  await session.connect()
  return session
}

/** Asks until it is so or the time is over. */
export async function until(
  timeoutMs: number,
  ask: () => Promise<boolean> | boolean,
  everyMs = 50,
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    if (await ask()) return true
    if (Date.now() > deadline) return false
    await sleep(everyMs)
  }
}
