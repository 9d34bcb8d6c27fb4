import { chmod, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { createProgress } from '../../boot/progress.ts'
import { OperatorError } from '../../operator-error.ts'
import type { DumpEntry } from '../../store/dump-tables.ts'
import { assertKnownSchema, loadTables } from '../../store/load-tables.ts'
import type { CommandContext } from '../command-context.ts'
import { hasDatabase } from '../embedded-store.ts'
import { openEmbeddedServer } from '../open-store.ts'
import { assertEmbedded } from './backup.ts'
import { readBackupFile } from './backup-file.ts'
import { assertDataFile, createDataFileWriter } from './data-files.ts'

/**
 * Puts a backup into DATA_DIR. Everything is built in a folder beside it, which takes its place when it is complete. So a failure
 * changes nothing.
 */
export async function restore(context: CommandContext): Promise<void> {
  const { config, operands, flags, output, host } = context
  assertEmbedded(context)
  const path = resolve(operands[0] as string)
  const { dataDir } = config
  await assertUsable(path)
  const isOccupied = await assertTarget(context, flags.has('replace'))
  const progress = createProgress(host.stderr, output.isJson ? { onLine: () => {} } : {})
  const folder = await makeFolderBeside(dataDir)
  try {
    progress.show('Restoring the backup')
    const counts = await fill(folder, path)
    // A service may have been started meanwhile.
    if (isOccupied) await assertTarget(context, true)
    const replaced = isOccupied ? `${dataDir}.replaced-${Date.now()}` : null
    if (replaced !== null) await rename(dataDir, replaced)
    await rename(folder, dataDir).catch(async error => {
      if (replaced !== null) await rename(replaced, dataDir)
      throw new OperatorError(`DATA_DIR ${dataDir} cannot be replaced: ${error.message}`, { cause: error })
    })
    progress.clear()
    output.line(`Restored ${counts.rows} rows and ${counts.files} files into ${dataDir}.`)
    if (replaced !== null) output.line(`What was there is now in ${replaced}.`)
    output.json({ folder: dataDir, replaced, ...counts })
  } finally {
    progress.clear()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Whether there is something to replace. Throws if it may not be replaced. */
async function assertTarget({ config }: CommandContext, mayReplace: boolean): Promise<boolean> {
  const { dataDir } = config
  const names = await readdir(dataDir).catch(error => {
    if (error.code === 'ENOENT') return []
    throw new OperatorError(`DATA_DIR ${dataDir} cannot be used: ${error.message}`)
  })
  if (names.length === 0) return false
  if (!mayReplace)
    throw new OperatorError(
      `DATA_DIR ${dataDir} is not empty. Choose another DATA_DIR, or add --replace to move its content aside.`,
    )
  if (await hasDatabase(config)) await assertNotRunning(dataDir)
  return true
}

/** Only one process can own the database. */
async function assertNotRunning(dataDir: string): Promise<void> {
  try {
    const { stop } = await openEmbeddedServer(dataDir, 'owner')
    await stop()
  } catch (error) {
    // A database that doesn't start, for example a damaged one, is what a backup is for.
    if (/in use by another|running PostgreSQL|by several processes/.test((error as Error).message))
      throw new OperatorError(`A running service uses DATA_DIR ${dataDir}. Stop it first.`, { cause: error })
    if (/owned by another user/.test((error as Error).message)) throw error
  }
}

async function makeFolderBeside(dataDir: string): Promise<string> {
  try {
    const folder = await mkdtemp(join(dirname(dataDir), `.${basename(dataDir)}.restoring-`))
    // As for every DATA_DIR: root runs PostgreSQL as another user, who must be able to pass through.
    await chmod(folder, 0o711)
    return folder
  } catch (error) {
    throw new OperatorError(`The folder of DATA_DIR ${dataDir} must be writable: ${(error as Error).message}`)
  }
}

/** Reads the whole file once, so that nothing of a damaged or newer one is used. */
async function assertUsable(path: string): Promise<void> {
  for await (const entry of readBackupFile(path)) {
    if (!('kind' in entry)) continue
    if (entry.kind === 'schema') assertKnownSchema(entry.lastMigration)
    if (entry.kind === 'file') assertDataFile(entry.file)
  }
}

async function fill(folder: string, path: string): Promise<{ rows: number; files: number }> {
  const writeFile = createDataFileWriter(folder)
  let files = 0
  /** Passes on what belongs into the database. */
  async function* unpack(): AsyncGenerator<DumpEntry> {
    for await (const entry of readBackupFile(path)) {
      if (!('kind' in entry)) continue
      if (entry.kind === 'file') files += 1
      if (entry.kind === 'file' || entry.kind === 'bytes') await writeFile(entry)
      else yield entry
    }
  }
  const embedded = await openEmbeddedServer(folder, 'owner')
  try {
    const { rows } = await loadTables(embedded.connection, unpack())
    return { rows, files }
  } finally {
    await embedded.stop()
  }
}
