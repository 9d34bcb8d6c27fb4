import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { OperatorError } from '../../operator-error.ts'
import type { DumpEntry } from '../../store/dump-tables.ts'

/** The first line of a backup. */
export interface BackupHeader {
  format: number
  /** Of the Slipway that made it. */
  version: string
  createdAt: string
}

export type BackupEntry =
  | DumpEntry
  /** A file in DATA_DIR, relative to it. Its bytes follow. */
  | { kind: 'file'; file: string }
  | { kind: 'bytes'; bytes: string }

export const FORMAT = 1
const NAME = 'slipway-backup'

/**
 * Writes a backup: gzip with a JSON value on each line, of which the last is the SHA-256 of the others. The file appears
 * when it is complete. Throws if it exists.
 */
export async function writeBackupFile(
  path: string,
  header: BackupHeader,
  entries: AsyncIterable<BackupEntry>,
): Promise<void> {
  const partial = `${path}.partial-${process.pid}`
  try {
    const out = createWriteStream(partial, { mode: 0o600, flags: 'wx' })
    await pipeline(Readable.from(toLines(header, entries)), createGzip({ level: 3 }), out)
    const file = await open(partial, 'r')
    await file.sync().finally(() => file.close())
    await putInPlace(partial, path)
  } catch (error) {
    throw explain(error, path)
  } finally {
    await rm(partial, { force: true })
  }
}

/** Unlike a rename alone, it replaces nothing. */
export async function putInPlace(partial: string, path: string, linkFile = link): Promise<void> {
  await linkFile(partial, path).catch(async error => {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(error.code)) throw error
    // A file system without links, such as that of a USB stick.
    const reserved = await open(path, 'wx')
    await reserved.close()
    await rename(partial, path).catch(async failure => {
      await rm(path, { force: true })
      throw failure
    })
  })
}

async function* toLines(header: BackupHeader, entries: AsyncIterable<BackupEntry>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  const line = (value: object) => {
    const text = `${JSON.stringify(value)}\n`
    hash.update(text)
    return text
  }
  yield line({ name: NAME, ...header })
  for await (const entry of entries) yield line(entry)
  yield `${JSON.stringify({ sha256: hash.digest('hex') })}\n`
}

/** Reads a backup. The entries end with an error if the file is damaged or incomplete: nothing of it may be used before. */
export async function* readBackupFile(path: string): AsyncGenerator<BackupHeader | BackupEntry> {
  const hash = createHash('sha256')
  const source = createReadStream(path)
  const unpacked = createGunzip()
  const piped = pipeline(source, unpacked)
  piped.catch(() => {})
  let at = 0
  let isComplete = false
  try {
    for await (const line of splitLines(unpacked)) {
      if (isComplete) throw damaged(path)
      const value = parseLine(line, path)
      if ('sha256' in value) {
        if (value.sha256 !== hash.digest('hex')) throw damaged(path)
        isComplete = true
        continue
      }
      hash.update(line).update('\n')
      if (at === 0) assertHeader(value, path)
      at += 1
      yield value as unknown as BackupHeader | BackupEntry
    }
    if (!isComplete) throw damaged(path)
  } catch (error) {
    throw explain(error, path)
  } finally {
    source.destroy()
  }
}

/** Not `readline`, which also splits at separators that a string in JSON may contain. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = []
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)]).toString()
      parts = []
      from = end + 1
    }
    parts.push(chunk.subarray(from))
  }
  if (parts.some(({ length }) => length > 0)) yield Buffer.concat(parts).toString()
}

function parseLine(line: string, path: string): Record<string, unknown> {
  try {
    return JSON.parse(line)
  } catch {
    throw damaged(path)
  }
}

function assertHeader({ name, format }: Record<string, unknown>, path: string): void {
  if (name !== NAME) throw new OperatorError(`${path} is not a backup of Slipway.`)
  if (format !== FORMAT)
    throw new OperatorError(`${path} was made by a newer Slipway. Upgrade this one, and restore it then.`)
}

const damaged = (path: string) =>
  new OperatorError(`${path} is damaged or incomplete: its checksum is wrong. Use another backup.`)

function explain(error: unknown, path: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'EEXIST')
    return new OperatorError(`${path} exists already. Choose another name, or remove it.`)
  if (code === 'ENOENT') return new OperatorError(`${path} does not exist.`)
  if (code === 'ENOSPC') return new OperatorError(`The disk of ${path} is full. Nothing was written.`)
  if (code === 'EACCES' || code === 'EISDIR') return new OperatorError(`${path} is not accessible (${code}).`)
  return code.startsWith('Z_') ? damaged(path) : error
}
