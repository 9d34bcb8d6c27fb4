import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { chown, type FileHandle, open, rename, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { DataDir } from './data-dir.ts'
import { stopServer } from './postmaster.ts'
import type { Setup } from './prepare.ts'
import { isRoot, spawnOptions } from './run-as.ts'

export interface ServerProcess {
  pid: number
  isRunning(): boolean
  /** How the process ended: 'stopped' by us, or its exit code or signal. */
  exited: Promise<string>
  stop(): Promise<void>
  /** Lets the server outlive this process. */
  detach(): void
}

/** Spawns the server. Ctrl-C must not reach it before the service has finished its work. */
export async function spawnServer(
  { binaries, dataDir, socketFolder, runAs }: Setup,
  logFd: number,
): Promise<ServerProcess> {
  const command = [...runAs.prefix, binaries.postgres, '-D', dataDir.pgdata, ...settings(socketFolder)]
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

function settings(socketFolder: string): string[] {
  const all = {
    listen_addresses: '',
    // This setting is a list: the quotes make a comma part of the path.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    log_checkpoints: 'off',
  }
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

const logBytesMax = 5_000_000

interface ServerLog {
  path: string
  file: FileHandle
  /** The last error that the server has logged since this log was opened. */
  findError(): Promise<string | undefined>
}

/** Opens the file that the server logs to. A large file is first renamed, which replaces the previous renamed one. */
export async function openServerLog({ realPath }: DataDir): Promise<ServerLog> {
  const path = join(realPath, 'postgres.log')
  const before = await stat(path).catch(() => undefined)
  if (before && before.size > logBytesMax) await rename(path, `${path}.1`)
  const file = await open(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW,
    0o600,
  )
  // The next start may run as the owner of the folder.
  const { uid, gid } = await stat(realPath)
  if (isRoot() && uid !== 0) await chown(path, uid, gid)
  const { size } = await file.stat()
  const findError = async () => (await findErrorLine(path, size)) ?? (await findFullDisk(realPath))
  return { path, file, findError }
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
