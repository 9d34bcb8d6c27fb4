import { setTimeout as sleep } from 'node:timers/promises'
import { explainFailure, type Log } from './api.ts'
import { openSession, type Session, socketPath } from './connect.ts'
import { findRunning, readPidFile, removeStaleLock } from './postmaster.ts'
import type { Setup } from './prepare.ts'
import { openServerLog } from './server-log.ts'
import { type ServerProcess, spawnServer } from './server-process.ts'

export interface StartedServer {
  server: ServerProcess
  /** The first session on the server. */
  session: Session
}

const readyTimeoutMs = 120_000
const connectTimeoutMs = 10_000
const sharedMemoryTimeoutMs = 10_000

/** Starts the server and waits until it accepts connections. Undefined if another process started one first. */
export async function startServer(
  setup: Setup,
  onSpawn: (server: ServerProcess) => void = () => {},
): Promise<StartedServer | undefined> {
  const { dataDir, socketFolder } = setup
  const deadline = Date.now() + sharedMemoryTimeoutMs
  for (;;) {
    if (await findRunning(dataDir.pgdata)) return undefined
    await removeStaleLock(`${socketPath(socketFolder)}.lock`, dataDir.pgdata)
    const log = await openServerLog(dataDir, setup.log)
    const server = await spawnServer(setup, log.fd).catch(async error => {
      await log.close()
      throw error
    })
    server.exited.then(log.close)
    onSpawn(server)
    const session = await waitUntilReady(server, setup).catch(async error => {
      await server.stop()
      throw error
    })
    if (session) return { server, session }
    const reason = (await server.exited) === 'stopped' ? undefined : await log.findError()
    if (/lock file .* already exists/.test(reason ?? '')) return undefined
    // The sessions of a killed server need a moment to notice that it is gone.
    const retries = /shared memory block .* still in use/.test(reason ?? '') && Date.now() < deadline
    if (!retries) throw explainFailure(dataDir.path, reason ?? 'PostgreSQL exited during start-up', log.path)
    await sleep(200)
  }
}

/** Undefined if the server exited instead. */
async function waitUntilReady(
  server: ServerProcess,
  { dataDir, socketFolder }: Setup,
): Promise<Session | undefined> {
  let deadline = Date.now() + readyTimeoutMs
  let connectError: Error | undefined
  while (server.isRunning() && Date.now() < deadline) {
    // The server writes to its pid file when it is ready; connecting earlier would fill its log with errors.
    const pidFile = await readPidFile(dataDir.pgdata)
    if (pidFile?.pid === server.pid && pidFile.ready) {
      if (!connectError) deadline = Date.now() + connectTimeoutMs
      const session = await openSession(socketFolder).catch(error => {
        connectError = error
      })
      if (session) return session
    }
    await sleep(15)
  }
  if (!server.isRunning()) return undefined
  throw connectError ?? new Error(`PostgreSQL was not ready after ${readyTimeoutMs / 1000} seconds`)
}

const restartDelayMsMin = 100
const restartDelayMsMax = 5_000
/** A server that ran at least this long is restarted with the shortest delay. */
const stableMs = 10_000

interface SupervisedServer {
  stop(): Promise<void>
  /** Stops supervising and lets the server outlive this process. */
  detach(): void
}

/**
 * Restarts the server whenever it exits unexpectedly, on the same socket, so that connection pools recover on their
 * own.
 */
export function supervise(first: ServerProcess, setup: Setup, log: Log): SupervisedServer {
  let current = first
  let stopping = false
  const stopSignal = new AbortController()
  const watching = watch()
  return {
    async stop() {
      stopping = true
      stopSignal.abort()
      await current.stop()
      // A restart in progress stops the server that it has started.
      await watching
    },
    detach() {
      stopping = true
      stopSignal.abort()
      current.detach()
    },
  }

  async function watch() {
    let delayMs = restartDelayMsMin
    for (;;) {
      const since = Date.now()
      const exit = await current.exited
      if (stopping) return
      delayMs = Date.now() - since > stableMs ? restartDelayMsMin : Math.min(delayMs * 2, restartDelayMsMax)
      log.error({ exit, dataDir: setup.dataDir.path }, 'PostgreSQL exited unexpectedly; restarting it')
      await restart()
    }

    async function restart() {
      while (!stopping) {
        try {
          const started = await startServer(setup, server => {
            current = server
            if (stopping) server.stop()
          })
          await started?.session.end().catch(() => {})
          if (started) return
        } catch (error) {
          if (!stopping) log.error({ err: error }, 'could not restart PostgreSQL; retrying')
        }
        await sleep(delayMs, undefined, { signal: stopSignal.signal, ref: false }).catch(() => {})
        delayMs = Math.min(delayMs * 2, restartDelayMsMax)
      }
    }
  }
}
