import { constants } from 'node:fs'
import { chown, type FileHandle, open, rename, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Place } from './data-dir.ts'
import { isRoot } from './user.ts'

const bytesMax = 5_000_000

export interface ServerLog {
  path: string
  file: FileHandle
  /** The last complaint of the server since this log was opened. */
  complaint(): Promise<string | undefined>
}

/** Opens the file that the server writes its log to; one that has grown large is first put aside, replacing the one before. */
export async function openServerLog({ dataDir }: Place): Promise<ServerLog> {
  const path = join(dataDir, 'postgres.log')
  const before = await stat(path).catch(() => undefined)
  if (before && before.size > bytesMax) await rename(path, `${path}.1`)
  const file = await open(
    path,
    constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW,
    0o600,
  )
  // The owner of the folder may be the next to start Slipway here.
  const { uid, gid } = await stat(dataDir)
  if (isRoot() && uid !== 0) await chown(path, uid, gid)
  const { size } = await file.stat()
  return { path, file, complaint: () => findComplaint(path, size).then(line => line ?? fullDisk(dataDir)) }
}

async function findComplaint(path: string, from: number): Promise<string | undefined> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const start = Math.max(from, size - 65_536)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start)
    const lines = buffer.toString('utf8', 0, bytesRead).split('\n')
    // A program that could not start at all, a missing library say, complains in words of its own.
    const complaint = lines.findLast(line => /\b(FATAL|PANIC|ERROR): /.test(line))
    return (
      complaint?.replace(/^.*?\b(?=FATAL|PANIC|ERROR)/, '') ?? lines.findLast(line => /error/i.test(line))
    )
  } finally {
    await file.close()
  }
}

/** A full disk keeps the server from writing that it is full. */
async function fullDisk(dataDir: string): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(dataDir)
  return bavail * bsize < 1_000_000 ? 'No space left on device' : undefined
}
