import { setTimeout as sleep } from 'node:timers/promises'
import { explainFailure } from './clear-error.ts'
import { findRunning, isPostgresOf, readPidFile } from './postmaster.ts'
import { openServerLog } from './server-log.ts'
import { type Server, spawnServer } from './server-process.ts'
import { openSession, type Session } from './session.ts'
import type { Setup } from './setup.ts'
import { socketPath } from './socket-folder.ts'
import { removeStaleLock } from './stale-lock.ts'

export interface Started {
  server: Server
  /** The first session on it. */
  session: Session
}

const readyTimeoutMs = 120_000
const answerTimeoutMs = 10_000
const memoryTimeoutMs = 10_000

/** Starts the server and waits until it answers. Undefined when another start was faster. */
export async function startServer(
  setup: Setup,
  onSpawn: (server: Server) => void = () => {},
): Promise<Started | undefined> {
  const deadline = Date.now() + memoryTimeoutMs
  for (;;) {
    if (await findRunning(setup.pgdata)) return undefined
    const log = await openServerLog(setup.place)
    try {
      await removeStaleLock(`${socketPath(setup.socketFolder)}.lock`, pid => isPostgresOf(setup.pgdata, pid))
      const server = await spawnServer(setup, log.file.fd)
      onSpawn(server)
      const session = await waitUntilReady(server, setup).catch(async error => {
        await server.stop()
        throw error
      })
      if (session) return { server, session }
      const why = (await server.exited) === 'stopped' ? undefined : await log.complaint()
      if (/lock file .* already exists/.test(why ?? '')) return undefined
      // Sessions of a killed server need a moment to notice that it is gone.
      const waits = /shared memory block .* still in use/.test(why ?? '') && Date.now() < deadline
      if (!waits) throw explainFailure(setup.place.named, why ?? 'PostgreSQL ended while starting', log.path)
    } finally {
      await log.file.close()
    }
    await sleep(200)
  }
}

/** Undefined when it ended instead. */
async function waitUntilReady(server: Server, { pgdata, socketFolder }: Setup): Promise<Session | undefined> {
  let deadline = Date.now() + readyTimeoutMs
  let refusal: Error | undefined
  while (server.isRunning() && Date.now() < deadline) {
    // It says in its pid file when it is ready: connecting earlier would fill its log with refusals.
    const said = await readPidFile(pgdata)
    if (said?.pid === server.pid && said.ready) {
      if (!refusal) deadline = Date.now() + answerTimeoutMs
      const session = await openSession(socketFolder).catch(error => {
        refusal = error
      })
      if (session) return session
    }
    await sleep(15)
  }
  if (!server.isRunning()) return undefined
  throw refusal ?? new Error(`PostgreSQL was not ready after ${readyTimeoutMs / 1000} seconds`)
}
