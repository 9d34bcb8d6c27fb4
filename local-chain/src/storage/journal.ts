import {
  closeSync,
  existsSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'
import { encodeRecord, readRecords } from './records.ts'

const FSYNC_MS = 1_000
const JOURNAL_BYTES_MAX = 32 * 1024 * 1024

/**
 * State on disk: a snapshot and the journal of everything since, both numbered by generation.
 *
 * Durability. A record is handed to the operating system before anyone hears of it, so killing the process loses
 * nothing that was answered. The disk itself is told once a second: a power cut may cost the last second, and the
 * checksums find where the good part ends. A snapshot becomes visible only by a rename, after it is on disk; the
 * generation that it replaces is removed last. Whatever moment a crash picks, one complete generation remains.
 */
export function openJournal(
  directory: string,
  options: { restore: (record: unknown) => void; bytesMax?: number; onError?: (error: Error) => void },
) {
  const { onError = () => {} } = options
  let bytesMax = options.bytesMax ?? JOURNAL_BYTES_MAX
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const path = (generation: number, kind: string) => join(directory, `${generation}.${kind}`)

  const found = readdirSync(directory)
  for (const name of found) if (name.endsWith('.tmp')) rmSync(join(directory, name))
  // A generation begins with its snapshot; only the very first has none. A journal without one was never used.
  const snapshots = found.flatMap(name => (/^\d+\.snapshot$/.test(name) ? [Number.parseInt(name, 10)] : []))
  let generation = Math.max(0, ...snapshots)
  let snapshotBytes = 0

  if (generation > 0) {
    let complete = false
    snapshotBytes = readRecords(path(generation, 'snapshot'), record => {
      if (isEnd(record)) complete = true
      else options.restore(record)
    })
    if (!complete) {
      throw new StartError(
        `${path(generation, 'snapshot')} is damaged. Remove ${directory} to begin with a new chain.`,
      )
    }
  }
  let bytes = existsSync(path(generation, 'journal'))
    ? readRecords(path(generation, 'journal'), options.restore)
    : 0
  let file = openSync(path(generation, 'journal'), 'a', 0o600)
  const damaged = fstatSync(file).size - bytes
  if (damaged > 0) {
    // What a crash left half-written would otherwise stand in front of the next record.
    ftruncateSync(file, bytes)
    onError(
      new Error(
        `the journal in ${directory} ended in ${damaged} bytes that are no record; they were dropped`,
      ),
    )
  }
  removeOthers()

  let dirty = false
  let syncing = false
  const timer = setInterval(() => {
    if (!dirty || syncing) return
    dirty = false
    syncing = true
    fdatasync(file, error => {
      syncing = false
      // The file may have been replaced by a newer generation while its sync was under way.
      if (error && error.code !== 'EBADF') onError(error)
    })
  }, FSYNC_MS)
  timer.unref()

  function removeOthers() {
    for (const name of readdirSync(directory)) {
      const of = Number.parseInt(name, 10)
      if (/^\d+\.(snapshot|journal)$/.test(name) && of !== generation) rmSync(join(directory, name))
    }
  }

  return {
    append(record: unknown): void {
      const encoded = encodeRecord(record)
      try {
        writeAll(file, encoded)
      } catch (error) {
        // A full disk: take back the part that was written, or the rest of the journal would be unreadable.
        ftruncateSync(file, bytes)
        throw error
      }
      bytes += encoded.length
      dirty = true
    },

    /** A large state is written less often: all snapshots together never cost more than the journals they replace. */
    get wantsSnapshot() {
      return bytes > Math.max(bytesMax, snapshotBytes)
    },

    /** Replaces everything so far by `records`. When it fails, what was there before is untouched and still in use. */
    snapshot(records: Iterable<unknown>): void {
      const next = generation + 1
      const temporary = path(next, 'snapshot.tmp')
      let size: number
      let fresh: number | undefined
      try {
        size = writeSnapshot(temporary, records)
        // For appending, like the first one: a write that is taken back must not leave a hole in front of the next.
        fresh = openSync(path(next, 'journal'), 'a', 0o600)
        renameSync(temporary, path(next, 'snapshot'))
      } catch (error) {
        if (fresh !== undefined) closeSync(fresh)
        // On a full disk, half a snapshot would take the room of what comes next.
        rmSync(temporary, { force: true })
        throw error
      }
      closeSync(file)
      file = fresh
      bytes = 0
      snapshotBytes = size
      generation = next
      syncDirectory(directory)
      removeOthers()
    },

    /** Puts the next attempt off, after one has failed. */
    postponeSnapshot(): void {
      bytesMax += bytes
    },

    close(): void {
      clearInterval(timer)
      fsyncSync(file)
      closeSync(file)
    },
  }
}

const END = { end: true }
const isEnd = (record: unknown): boolean => typeof record === 'object' && record !== null && 'end' in record

/** Answers how large it has become, once it is on the disk. */
function writeSnapshot(path: string, records: Iterable<unknown>): number {
  const file = openSync(path, 'w', 0o600)
  try {
    for (const record of records) writeAll(file, encodeRecord(record))
    writeAll(file, encodeRecord(END))
    fsyncSync(file)
    return fstatSync(file).size
  } finally {
    closeSync(file)
  }
}

function writeAll(file: number, bytes: Buffer): void {
  let written = 0
  while (written < bytes.length) written += writeSync(file, bytes, written)
}

function syncDirectory(path: string): void {
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}
