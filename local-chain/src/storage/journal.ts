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
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { StartError } from '../start-error.ts'

const FSYNC_MS = 1_000
const JOURNAL_BYTES_MAX = 32 * 1024 * 1024

/**
 * State on disk: a snapshot and a journal of all records since, both numbered by generation.
 *
 * Durability: a record is passed to the operating system before its change becomes visible, so killing the process
 * loses nothing that was confirmed. The file is synced once a second, so a power cut can lose the last second;
 * checksums find the end of the intact part. A snapshot is synced and then renamed into place, and the generation
 * that it replaces is removed last, so there is a complete generation on disk at all times.
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
  // Every generation except the first has a snapshot. A later journal without one was never in use.
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
        `${path(generation, 'snapshot')} is damaged. Remove ${directory} to start a new chain.`,
      )
    }
  }
  let bytes = existsSync(path(generation, 'journal'))
    ? readRecords(path(generation, 'journal'), options.restore)
    : 0
  let file = openSync(path(generation, 'journal'), 'a', 0o600)
  const damaged = fstatSync(file).size - bytes
  if (damaged > 0) {
    // Otherwise the partial record of a crash would come before the next record.
    ftruncateSync(file, bytes)
    onError(
      new Error(`dropped ${damaged} bytes at the end of the journal in ${directory}: not a complete record`),
    )
  }
  removeOtherGenerations()

  let dirty = false
  let syncing = false
  const timer = setInterval(() => {
    if (!dirty || syncing) return
    dirty = false
    syncing = true
    fdatasync(file, error => {
      syncing = false
      // A new generation may have closed the file during the sync.
      if (error && error.code !== 'EBADF') onError(error)
    })
  }, FSYNC_MS)
  timer.unref()

  function removeOtherGenerations() {
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
        // On a full disk, remove the part that was written: it would make all later records unreadable.
        ftruncateSync(file, bytes)
        throw error
      }
      bytes += encoded.length
      dirty = true
    },

    /**
     * The journal may grow to the size of the last snapshot: all snapshots together never write more than the
     * journals.
     */
    get snapshotDue() {
      return bytes > Math.max(bytesMax, snapshotBytes)
    },

    /** Replaces all earlier records by `records`. If it fails, the current files stay in use. */
    snapshot(records: Iterable<unknown>): void {
      const next = generation + 1
      const temporary = path(next, 'snapshot.tmp')
      let size: number
      let fresh: number | undefined
      try {
        size = writeSnapshot(temporary, records)
        // Opened for appending, so that a write after a truncation leaves no gap.
        fresh = openSync(path(next, 'journal'), 'a', 0o600)
        renameSync(temporary, path(next, 'snapshot'))
      } catch (error) {
        if (fresh !== undefined) closeSync(fresh)
        // On a full disk, a partial snapshot would take the space that the journal needs.
        rmSync(temporary, { force: true })
        throw error
      }
      closeSync(file)
      file = fresh
      bytes = 0
      snapshotBytes = size
      generation = next
      syncDirectory(directory)
      removeOtherGenerations()
    },

    /** Delays the next attempt after a failed one. */
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

/** Returns the size of the snapshot once it is synced. */
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

/**
 * The format of both files: a sequence of records, each `length u32 | crc32 u32 | JSON`. Only complete records with a
 * correct checksum count, so the partial record of a crash is recognised. Bigints and bytes, which JSON lacks, are
 * written as small objects.
 */
const HEADER_BYTES = 8
const RECORD_BYTES_MAX = 256 * 1024 * 1024

export function encodeRecord(value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(value, pack))
  const record = Buffer.allocUnsafe(HEADER_BYTES + body.length)
  record.writeUInt32LE(body.length, 0)
  record.writeUInt32LE(crc32(body), 4)
  body.copy(record, HEADER_BYTES)
  return record
}

/** Passes every intact record to `take` and returns their total length in bytes. */
export function readRecords(path: string, take: (value: unknown) => void): number {
  const file = openSync(path, 'r')
  const head = Buffer.alloc(HEADER_BYTES)
  let offset = 0
  try {
    while (readSync(file, head, 0, HEADER_BYTES, offset) === HEADER_BYTES) {
      const length = head.readUInt32LE(0)
      // Some file systems leave zeros after a lost write, and zeros have a valid checksum.
      if (length === 0 || length > RECORD_BYTES_MAX) break
      const body = Buffer.allocUnsafe(length)
      if (readSync(file, body, 0, length, offset + HEADER_BYTES) !== length) break
      if (crc32(body) !== head.readUInt32LE(4)) break
      take(JSON.parse(body.toString(), unpack))
      offset += HEADER_BYTES + length
    }
    return offset
  } finally {
    closeSync(file)
  }
}

// `toJSON` has already turned a Buffer in `value` into an array of numbers; `this` has the original.
function pack(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const original = this[key]
  if (typeof original === 'bigint') return { $n: original.toString() }
  if (original instanceof Uint8Array) return { $b: Buffer.from(original).toString('base64') }
  return value
}

const unpack = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if ('$n' in value) return BigInt(value.$n as string)
  if ('$b' in value) return new Uint8Array(Buffer.from(value.$b as string, 'base64'))
  return value
}
