import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { link, readFile, readlink, rename, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ignoreMissing } from './data-dir.ts'
import { socketName } from './lock.ts'

/** What a server says about itself in postmaster.pid. */
interface PidFile {
  pid: number
  /** Undefined until the server has opened its socket. */
  socketFolder: string | undefined
  ready: boolean
}

/** Finds a running server of this database. Removes a stale lock file that would prevent a new server from starting. */
export async function findRunning(pgdata: string): Promise<PidFile | undefined> {
  const found = await readPidFile(pgdata)
  if (!found) return undefined
  if (await isPostgresOf(pgdata, found.pid)) return found
  // A server in another container accepts connections, although its process is not visible here.
  if (found.socketFolder && (await acceptsConnections(found.socketFolder))) return found
  // PostgreSQL itself handles an id that is not in use, after checking for sessions that outlived their server.
  if (isAlive(found.pid)) await removeStaleLock(join(pgdata, 'postmaster.pid'), pgdata)
  return undefined
}

export async function readPidFile(pgdata: string): Promise<PidFile | undefined> {
  const text = await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch(error => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    return ''
  })
  const lines = text.split('\n')
  const pid = parsePid(text)
  if (!pid) return undefined
  return { pid, socketFolder: lines[4] || undefined, ready: lines[7]?.trim() === 'ready' }
}

/** Checks the process itself, because process ids are reused: after a reboot, another program may have this one. */
export async function isPostgresOf(pgdata: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-ww', '-p', String(pid), '-o', 'command=']).catch(() => ({
      stdout: '',
    }))
    return stdout.includes('postgres') && stdout.includes(pgdata)
  }
  // Empty for a zombie process, such as in a container without an init process.
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  const [program = '', ...args] = commandLine.split('\0')
  if (basename(program) !== 'postgres') return false
  return args.includes(pgdata) || (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === pgdata
}

const run = promisify(execFile)

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function acceptsConnections(socketFolder: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(join(socketFolder, socketName))
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/**
 * Removes a lock file whose process id now belongs to another program. PostgreSQL checks only that the id is in use,
 * and would refuse to start.
 */
export async function removeStaleLock(path: string, pgdata: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(ignoreMissing)
  if (before === undefined || (await isPostgresOf(pgdata, parsePid(before)))) return
  // Another process may have replaced the file in the meantime; in that case we put it back.
  const aside = `${path}.${randomBytes(4).toString('hex')}`
  try {
    await rename(path, aside)
    const moved = await readFile(aside, 'utf8')
    if (parsePid(moved) !== parsePid(before)) await link(aside, path)
  } catch (error) {
    ignoreMissing(error as NodeJS.ErrnoException)
  } finally {
    await rm(aside, { force: true })
  }
}

/** PostgreSQL writes a negative id for a standalone backend. */
function parsePid(text: string): number {
  return Math.abs(Number.parseInt(text, 10))
}

// Fast shutdown, then immediate shutdown (the next start recovers from the write-ahead log), then kill. Together they
// take less than the three seconds that a stopping service allows.
export const stopSteps: [NodeJS.Signals, number][] = [
  ['SIGINT', 2_000],
  ['SIGQUIT', 400],
  ['SIGKILL', 400],
]

/** Stops a server in bounded time. No step loses committed data. */
export async function stopServer(pid: number, isRunning: () => Promise<boolean> | boolean): Promise<boolean> {
  for (const [signal, waitMs] of stopSteps) {
    if (!(await isRunning())) return true
    try {
      process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
    if (await waitUntil(async () => !(await isRunning()), { timeoutMs: waitMs, intervalMs: 15 })) return true
  }
  return false
}

/** Polls until the condition holds; false if it still does not after the timeout. */
export async function waitUntil(
  condition: () => Promise<boolean>,
  { timeoutMs, intervalMs = 50 }: { timeoutMs: number; intervalMs?: number },
): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    if (await condition()) return true
    if (Date.now() > deadline) return false
    await sleep(intervalMs)
  }
}
