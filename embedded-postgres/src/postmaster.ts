import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { socketPath } from './socket-folder.ts'
import { removeStaleLock } from './stale-lock.ts'

/** A server that runs on our database, whoever started it. */
export interface Running {
  /** Undefined when it answers but is out of our sight, in another container. */
  pid: number | undefined
  /** Of its socket; undefined while it is still opening it. */
  socketFolder: string | undefined
  ready: boolean
}

/** The server of this database, after removing what a dead one left that would keep a new one from starting. */
export async function findRunning(pgdata: string): Promise<Running | undefined> {
  const pidFile = join(pgdata, 'postmaster.pid')
  const found = await readPidFile(pgdata)
  if (!found) return undefined
  if (await isPostgresOf(pgdata, found.pid)) return found
  if (found.socketFolder && (await answers(found.socketFolder))) return { ...found, pid: undefined }
  // A dead id is PostgreSQL's own to handle, which first looks for sessions that outlived their server.
  if (isAlive(found.pid)) await removeStaleLock(pidFile, pid => isPostgresOf(pgdata, pid))
  return undefined
}

/** What the server says about itself in postmaster.pid. */
export async function readPidFile(pgdata: string): Promise<(Running & { pid: number }) | undefined> {
  const text = await readFile(join(pgdata, 'postmaster.pid'), 'utf8').catch(error => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    return ''
  })
  const lines = text.split('\n')
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10))
  if (!pid) return undefined
  return { pid, socketFolder: lines[4] || undefined, ready: lines[7]?.trim() === 'ready' }
}

/** Process ids are used again: after a reboot the one in postmaster.pid can be anybody's. */
export async function isPostgresOf(pgdata: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') {
    const { stdout } = await ps('ps', ['-ww', '-p', String(pid), '-o', 'command=']).catch(() => ({
      stdout: '',
    }))
    return stdout.includes('postgres') && stdout.includes(pgdata)
  }
  // Empty for a process that ended and that nobody waited for, as in a container without an init.
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  const [program = '', ...args] = commandLine.split('\0')
  if (basename(program) !== 'postgres') return false
  return args.includes(pgdata) || (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === pgdata
}

const ps = promisify(execFile)

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function answers(socketFolder: string): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(socketPath(socketFolder))
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
