import { constants } from 'node:fs'
import { type FileHandle, open, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DataDir } from './data-dir.ts'
import { isRoot } from './run-as.ts'

const logBytesMax = 5_000_000
const checkIntervalMs = 5_000

export interface LogLimits {
  bytesMax?: number
  intervalMs?: number
}

interface ServerLog {
  path: string
  /** For the server to write to. */
  fd: number
  /** The last error that the server has logged since this log was opened. */
  findError(): Promise<string | undefined>
  /** Call it when the server has exited. */
  close(): Promise<void>
}

/**
 * Opens the file that the server logs to, and bounds its size for as long as the server runs: a large file becomes
 * `postgres.log.1` and replaces the previous one.
 */
export async function openServerLog(
  { realPath }: DataDir,
  { bytesMax = logBytesMax, intervalMs = checkIntervalMs }: LogLimits = {},
): Promise<ServerLog> {
  const path = join(realPath, 'postgres.log')
  const before = await stat(path).catch(() => undefined)
  if (before && before.size > bytesMax) await rename(path, `${path}.1`)
  const file = await openOwnFile(path, constants.O_RDWR | constants.O_APPEND, realPath)
  const { size } = await file.stat()

  let checking: Promise<void> | undefined
  const timer = setInterval(() => {
    // Bounding the file is not worth stopping the service: the next check tries again.
    checking ??= bound(file, path, bytesMax)
      .catch(() => {})
      .finally(() => {
        checking = undefined
      })
  }, intervalMs).unref()

  return {
    path,
    fd: file.fd,
    findError: async () => (await findErrorLine(path, size)) ?? (await findFullDisk(realPath)),
    async close() {
      clearInterval(timer)
      await checking
      await file.close().catch(() => {})
    },
  }
}

/**
 * Empties a file that has grown too large, after keeping its last part in `<path>.1`. The server has the file open, so
 * it cannot be renamed; it appends, so it goes on at the new end. A line that it writes between the copy and the
 * truncation is lost.
 */
async function bound(file: FileHandle, path: string, bytesMax: number): Promise<void> {
  const { size } = await file.stat()
  if (size <= bytesMax) return
  const partial = `${path}.new`
  try {
    await rm(partial, { force: true })
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytesMax), 0, bytesMax, size - bytesMax)
    const copy = await openOwnFile(partial, constants.O_WRONLY | constants.O_EXCL, dirname(path))
    await copy.writeFile(buffer.subarray(0, bytesRead)).finally(() => copy.close())
    await rename(partial, `${path}.1`)
  } finally {
    // Even if the copy fails, for example on a full disk.
    await file.truncate(0)
    await rm(partial, { force: true })
  }
}

/**
 * Opens or creates a private file. It belongs to the owner of its folder, because the next start may run as that
 * user.
 */
async function openOwnFile(path: string, flags: number, folder: string): Promise<FileHandle> {
  const file = await open(path, flags | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
  const { uid, gid } = await stat(folder)
  if (isRoot() && uid !== 0) await file.chown(uid, gid)
  return file
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
