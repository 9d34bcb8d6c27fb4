import { createReadStream, createWriteStream } from 'node:fs'
import { access, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join, normalize, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { readVersion } from '../../lib/read-version.ts'
import { OperatorError } from '../../operator-error.ts'
import type { ConnectionOptions } from '../../store/database.ts'
import { type DumpEntry, dumpTables } from '../../store/dump-tables.ts'
import type { CommandContext } from '../command-context.ts'
import { withStore } from '../open-store.ts'

/** Writes the embedded store, the embedded chains and the generated keys to a file. The service may be running. */
export async function backup(context: CommandContext): Promise<void> {
  const { config, operands, output } = context
  assertEmbedded(context)
  const path = resolve(operands[0] as string)
  await withStore(context, 'copy', async ({ connection }) => {
    const counts = { rows: 0, files: 0 }
    await writeBackupFile(path, count(readEverything(connection, config.dataDir), counts))
    const { size } = await stat(path)
    output.line(`Wrote ${path}: ${counts.rows} rows, ${counts.files} files, ${size} bytes. It contains keys.`)
    output.json({ file: path, ...counts, bytes: size })
  })
}

export function assertEmbedded({ config }: CommandContext): void {
  if (config.databaseUrl !== undefined)
    throw new OperatorError(
      'This command is for the embedded store, but DATABASE_URL is set. Use pg_dump and pg_restore: see docs/operating.md.',
    )
}

async function* readEverything(connection: ConnectionOptions, dataDir: string): AsyncGenerator<BackupEntry> {
  yield* dumpTables(connection)
  yield* readDataFiles(dataDir)
}

async function* count(entries: AsyncIterable<BackupEntry>, counts: { rows: number; files: number }) {
  for await (const entry of entries) {
    if (entry.kind === 'rows') counts.rows += entry.rows.length
    if (entry.kind === 'file') counts.files += 1
    yield entry
  }
}

/** What the service keeps in DATA_DIR beside the database: generated keys, the embedded chains and their programs. */
const FILES = ['social-token-secret', 'card-signing-key.json', 'demo.json']
const PROGRAMS = 'programs'
const CHAIN = 'chain'

const CHUNK_BYTES = 1 << 20
const ATTEMPTS = 10

/**
 * Reads these files while the service runs. A chain's journal only grows, and its beginning is a chain at an earlier time. So it
 * must be read after the database, which must not know a slot that the chain doesn't have.
 */
async function* readDataFiles(dataDir: string): AsyncGenerator<BackupEntry> {
  const programs = (await list(join(dataDir, PROGRAMS))).map(name => join(PROGRAMS, name))
  for (const file of [...FILES, ...programs]) {
    const bytes = await unlessMissing(readFile(join(dataDir, file)))
    if (bytes) yield* toEntries(file, bytes)
  }
  for (const network of await list(join(dataDir, CHAIN)))
    for (const { name, bytes } of await readGeneration(join(dataDir, CHAIN, network)))
      yield* toEntries(join(CHAIN, network, name), bytes)
}

const unlessMissing = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch(error => {
    // A lock of a chain is a socket beside its folder.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })

const list = async (folder: string) => (await unlessMissing(readdir(folder))) ?? []

function* toEntries(file: string, bytes: Buffer): Generator<BackupEntry> {
  yield { kind: 'file', file: file.split(sep).join('/') }
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    yield { kind: 'bytes', bytes: bytes.subarray(at, at + CHUNK_BYTES).toString('base64') }
}

/** The newest snapshot and the journal that continues it. If the chain replaces them meanwhile, they are read again. */
async function readGeneration(folder: string): Promise<{ name: string; bytes: Buffer }[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const names = (await list(folder)).filter(name => /^\d+\.(snapshot|journal)$/.test(name))
    if (names.length === 0) return []
    const generation = Math.max(...names.filter(name => name.endsWith('snapshot')).map(Number.parseFloat), 0)
    const wanted = names.filter(name => Number.parseFloat(name) === generation)
    const files = await unlessMissing(
      Promise.all(wanted.map(async name => ({ name, bytes: await readFile(join(folder, name)) }))),
    )
    if (files) return files
  }
  throw new OperatorError(`The chain in ${folder} changes too quickly to be read. Try again.`)
}

/** Returns the path. Throws if it isn't one that a backup has: the file may come from anywhere. */
export function assertDataFile(file: string): string {
  const path = normalize(file)
  if ([...FILES, PROGRAMS, CHAIN].includes(path.split(sep)[0] ?? '')) return path
  throw new OperatorError(`The backup has an unknown file "${file}".`)
}

export type BackupEntry =
  | DumpEntry
  /** A file in DATA_DIR, relative to it. Its bytes follow. */
  | { kind: 'file'; file: string }
  | { kind: 'bytes'; bytes: string }

const NAME = 'slipway-backup'
const FORMAT = 1

/**
 * Writes a backup: gzip, which has a checksum, with a JSON value on each line. The file appears when it is complete. Throws if it
 * exists.
 */
export async function writeBackupFile(path: string, entries: AsyncIterable<BackupEntry>): Promise<void> {
  const partial = `${path}.partial-${process.pid}`
  const assertNew = () =>
    access(path).then(
      () => Promise.reject(Object.assign(new Error(), { code: 'EEXIST' })),
      () => {},
    )
  try {
    await assertNew()
    const out = createWriteStream(partial, { mode: 0o600, flags: 'wx' })
    await pipeline(Readable.from(toLines(entries)), createGzip({ level: 3 }), out)
    const file = await open(partial, 'r')
    await file.sync().finally(() => file.close())
    await assertNew()
    await rename(partial, path)
  } catch (error) {
    throw explain(error, path)
  } finally {
    await rm(partial, { force: true })
  }
}

async function* toLines(entries: AsyncIterable<BackupEntry>): AsyncGenerator<string> {
  const header = { name: NAME, format: FORMAT, version: readVersion(), createdAt: new Date() }
  yield `${JSON.stringify(header)}\n`
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`
}

/** Reads a backup. The entries end with an error if the file is damaged or incomplete: nothing of it may be used before. */
export async function* readBackupFile(path: string): AsyncGenerator<BackupEntry> {
  const source = createReadStream(path)
  const unpacked = createGunzip()
  pipeline(source, unpacked).catch(() => {})
  try {
    const lines = splitLines(unpacked)
    assertHeader((await lines.next()).value, path)
    for await (const line of lines) yield JSON.parse(line)
  } catch (error) {
    throw explain(error, path)
  } finally {
    source.destroy()
  }
}

/** Not `readline`, which also splits at separators that a string in JSON may contain. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, undefined> {
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
  return undefined
}

function assertHeader(line: string | undefined, path: string): void {
  const { name, format } = line?.startsWith(`{"name":"${NAME}"`) ? JSON.parse(line) : { name: undefined }
  if (name !== NAME) throw new OperatorError(`${path} is not a backup of Slipway.`)
  if (format !== FORMAT)
    throw new OperatorError(`${path} was made by a newer Slipway. Upgrade this one, and restore it then.`)
}

function explain(error: unknown, path: string): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'EEXIST')
    return new OperatorError(`${path} exists already. Choose another name, or remove it.`)
  if (code === 'ENOENT') return new OperatorError(`${path} does not exist.`)
  if (code === 'ENOSPC') return new OperatorError(`The disk of ${path} is full. Nothing was written.`)
  if (code === 'EACCES' || code === 'EISDIR') return new OperatorError(`${path} is not accessible (${code}).`)
  if (code.startsWith('Z_') || error instanceof SyntaxError)
    return new OperatorError(`${path} is damaged or incomplete: its checksum is wrong. Use another backup.`)
  return error
}
