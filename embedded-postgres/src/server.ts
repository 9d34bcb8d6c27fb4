import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { open, rename, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { explainFailure, type Log } from './api.ts'
import type { DataDir } from './data-dir.ts'
import { openSession, type Session, socketName } from './lock.ts'
import { findRunning, readPidFile, removeStaleLock, stopServer } from './postmaster.ts'
import type { Setup } from './prepare.ts'
import { isRoot, spawnOptions } from './run-as.ts'

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
    await removeStaleLock(`${join(socketFolder, socketName)}.lock`, dataDir.pgdata)
    const log = await openServerLog(dataDir)
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

interface ServerProcess {
  pid: number
  isRunning(): boolean
  /** How the process ended: 'stopped' by us, or its exit code or signal. */
  exited: Promise<string>
  stop(): Promise<void>
  /** Lets the server outlive this process. */
  detach(): void
}

/** Spawns the server. Ctrl-C must not reach it before the service has finished its work. */
async function spawnServer(
  { binaries, dataDir, socketFolder, runAs, connections }: Setup,
  logFd: number,
): Promise<ServerProcess> {
  const command = [
    ...runAs.prefix,
    binaries.postgres,
    '-D',
    dataDir.pgdata,
    ...settings(socketFolder, connections),
  ]
  const [program = '', ...args] = command
  const child = spawn(program, args, { ...spawnOptions(runAs), stdio: ['ignore', logFd, logFd] })
  await once(child, 'spawn')
  child.unref()
  return toServerProcess(child, child.pid ?? 0)
}

function toServerProcess(child: ChildProcess, pid: number): ServerProcess {
  let stopped = false
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const exited = new Promise<string>(resolve => {
    child.once('exit', (code, signal) =>
      resolve(stopped ? 'stopped' : signal ? `signal ${signal}` : `code ${code}`),
    )
  })
  // If this process exits without calling stop(), for example on an uncaught error, the server stops too.
  const onExit = () => child.kill('SIGINT')
  process.on('exit', onExit)
  exited.then(() => process.off('exit', onExit))
  return {
    pid,
    isRunning,
    exited,
    detach: () => void process.off('exit', onExit),
    async stop() {
      stopped = true
      await stopServer(pid, isRunning)
    },
  }
}

/** PostgreSQL's own limit. */
const connectionsDefault = 100
/** For commands, superusers and sessions that have not quite ended. */
const connectionsSpare = 20

function settings(socketFolder: string, connections = 0): string[] {
  const all = {
    listen_addresses: '',
    // This setting is a list: the quotes make a comma part of the path.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    log_checkpoints: 'off',
    // Callers can't make the log grow: the service logs the errors of its own statements.
    log_min_messages: 'log',
    ...(connections + connectionsSpare > connectionsDefault && {
      max_connections: `${connections + connectionsSpare}`,
    }),
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

const LOG_BYTES_MAX = 5_000_000

/** Opens the private file that the server logs to. A large one becomes `postgres.log.1` and replaces the previous one. */
async function openServerLog({ realPath }: DataDir) {
  const path = join(realPath, 'postgres.log')
  const before = await stat(path).catch(() => undefined)
  if (before && before.size > LOG_BYTES_MAX) await rename(path, `${path}.1`)
  const file = await open(
    path,
    constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
    0o600,
  )
  // The next start may run as the user that owns the folder.
  const { uid, gid } = await stat(realPath)
  if (isRoot() && uid !== 0) await file.chown(uid, gid)
  const { size } = await file.stat()
  return {
    path,
    fd: file.fd,
    close: () => file.close().catch(() => {}),
    /** The last error that the server has logged since the file was opened. */
    findError: async () => (await findErrorLine(path, size)) ?? (await findFullDisk(realPath)),
  }
}

async function findErrorLine(path: string, from: number): Promise<string | undefined> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const start = Math.max(from, size - 65_536)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
    const error = lines.findLast(line => /\b(FATAL|PANIC|ERROR): /.test(line))
    // A program that cannot start at all, for example because a library is missing, uses another format.
    return error?.replace(/^.*?\b(?=FATAL|PANIC|ERROR)/, '') ?? lines.findLast(line => /error/i.test(line))
  } finally {
    await file.close()
  }
}

/** On a full disk, the server cannot even log that the disk is full. */
async function findFullDisk(folder: string): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < 1_000_000 ? 'No space left on device' : undefined
}
