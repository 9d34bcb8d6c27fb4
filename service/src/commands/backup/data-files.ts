import { mkdir, open, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, normalize, sep } from 'node:path'
import { OperatorError } from '../../operator-error.ts'
import type { BackupEntry } from './backup-file.ts'

/** What the service keeps in DATA_DIR beside the database: generated keys, the embedded chains and their programs. */
const FILES = ['social-token-secret', 'card-signing-key.json', 'demo.json']
const FOLDERS = ['programs']
const CHAIN = 'chain'

const CHUNK_BYTES = 1 << 20
const ATTEMPTS = 10

/**
 * Reads these files while the service runs. A chain's journal only grows, and its beginning is a chain at an earlier time. So it
 * must be read after the database, which must not know a slot that the chain doesn't have.
 */
export async function* readDataFiles(dataDir: string): AsyncGenerator<BackupEntry> {
  for (const file of FILES) yield* readWhole(dataDir, file)
  for (const folder of FOLDERS)
    for (const name of await list(join(dataDir, folder))) yield* readWhole(dataDir, join(folder, name))
  for (const network of await list(join(dataDir, CHAIN)))
    for (const { name, bytes } of await readGeneration(join(dataDir, CHAIN, network)))
      yield* toEntries(join(CHAIN, network, name), bytes)
}

const list = (folder: string): Promise<string[]> =>
  readdir(folder).catch(error => {
    // A lock of a chain is a socket beside its folder.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
    throw error
  })

async function* readWhole(dataDir: string, file: string): AsyncGenerator<BackupEntry> {
  const bytes = await readFile(join(dataDir, file)).catch(error => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (bytes) yield* toEntries(file, bytes)
}

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
    const files = await Promise.all(
      wanted.map(async name => ({ name, bytes: await readFile(join(folder, name)) })),
    ).catch(error => {
      if (error.code !== 'ENOENT') throw error
      return undefined
    })
    if (files) return files
  }
  throw new OperatorError(`The chain in ${folder} changes too quickly to be read. Try again.`)
}

/** Writes such files into a folder, for one entry after another. */
export function createDataFileWriter(folder: string) {
  let path: string | undefined
  return async (entry: BackupEntry & { kind: 'file' | 'bytes' }): Promise<void> => {
    if (entry.kind === 'bytes') {
      if (path === undefined) return
      const file = await open(path, 'a')
      try {
        await file.writeFile(Buffer.from(entry.bytes, 'base64'))
        // What is said to be restored must survive a power failure, as the database does.
        await file.sync()
      } finally {
        await file.close()
      }
      return
    }
    path = join(folder, assertDataFile(entry.file))
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(path, '', { mode: 0o600, flag: 'wx' })
  }
}

/** Returns the path. Throws if it isn't one that a backup has: the file may come from anywhere. */
export function assertDataFile(file: string): string {
  const path = normalize(file)
  if ([...FILES, ...FOLDERS, CHAIN].includes(path.split(sep)[0] ?? '')) return path
  throw new OperatorError(`The backup has an unknown file "${file}".`)
}
