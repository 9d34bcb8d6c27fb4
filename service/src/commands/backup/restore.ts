import { chmod, mkdir, mkdtemp, open, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { createProgress } from '../../boot/progress.ts'
import { OperatorError } from '../../operator-error.ts'
import { assertKnownSchema, type DumpEntry, loadTables } from '../../store/dump-tables.ts'
import type { CommandContext } from '../command-context.ts'
import { hasDatabase, openEmbeddedServer } from '../open-store.ts'
import { assertDataFile, assertEmbedded, type BackupEntry, readBackupFile } from './backup.ts'
import { buildingPrefix, listContent, replaceContent, settleRestore } from './replace-content.ts'

/** As for every DATA_DIR: root runs PostgreSQL as another user, who must be able to pass through. */
const FOLDER_MODE = 0o711

/**
 * Puts a backup into DATA_DIR. Everything is built in a folder inside it, and moves to its place when it is complete. So a failure
 * changes nothing, and after a kill the next start has either the old or the new content. DATA_DIR itself stays: it may be a mounted
 * disk, a link, or a folder whose parent belongs to another user.
 */
export async function restore(context: CommandContext): Promise<void> {
  const { config, operands, flags, output, host } = context
  assertEmbedded(context)
  const path = resolve(operands[0] as string)
  const { dataDir } = config
  await assertUsable(path)
  const settled = await settleRestore(dataDir)
  if (settled !== undefined) output.facts({ before: settled })
  await assertTarget(context, flags.has('replace'))
  const progress = createProgress(host.stderr, output.isJson ? { onLine: () => {} } : {})
  const { folder, remove } = await makeFolderIn(dataDir)
  try {
    progress.show('Restoring the backup')
    const counts = await fill(folder, path)
    // A service may have been started meanwhile.
    await assertTarget(context, flags.has('replace'))
    const replaced = await replaceContent(dataDir, folder)
    progress.clear()
    output.line(`Restored ${counts.rows} rows and ${counts.files} files into ${dataDir}.`)
    if (replaced) output.line(`What was there is now in ${replaced}.`)
    output.json({ folder: dataDir, replaced: replaced ?? null, ...counts })
  } finally {
    progress.clear()
    await remove()
  }
}

/** Throws if there is something that may not be replaced. */
async function assertTarget({ config }: CommandContext, mayReplace: boolean): Promise<void> {
  const { dataDir } = config
  if ((await listContent(dataDir)).length === 0) return
  if (!mayReplace)
    throw new OperatorError(
      `DATA_DIR ${dataDir} is not empty. Choose another DATA_DIR, or add --replace to move its content aside.`,
    )
  if (await hasDatabase(config)) await assertNotRunning(dataDir)
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

/** A folder for what is being restored. Removing it also removes a DATA_DIR that was created for it and is still empty. */
async function makeFolderIn(dataDir: string): Promise<{ folder: string; remove(): Promise<void> }> {
  try {
    const isNew = await mkdir(dataDir, { mode: FOLDER_MODE }).then(
      () => true,
      error => {
        if (error.code !== 'EEXIST') throw error
        return false
      },
    )
    const folder = await mkdtemp(join(dataDir, buildingPrefix()))
    await chmod(folder, FOLDER_MODE)
    return {
      folder,
      async remove() {
        await rm(folder, { recursive: true, force: true })
        if (isNew) await rmdir(dataDir).catch(() => {})
      },
    }
  } catch (error) {
    throw new OperatorError(`DATA_DIR ${dataDir} cannot be written to: ${(error as Error).message}`)
  }
}

/** Reads the whole file once, so that nothing of a damaged or newer one is used. */
async function assertUsable(path: string): Promise<void> {
  for await (const entry of readBackupFile(path)) {
    if (entry.kind === 'schema') assertKnownSchema(entry.lastMigration)
    if (entry.kind === 'file') assertDataFile(entry.file)
  }
}

async function fill(folder: string, path: string): Promise<{ rows: number; files: number }> {
  let files = 0
  let file = ''
  /** Passes on what belongs into the database. */
  async function* unpack(): AsyncGenerator<DumpEntry> {
    for await (const entry of readBackupFile(path)) {
      if (entry.kind === 'file') {
        files += 1
        file = join(folder, assertDataFile(entry.file))
        await mkdir(dirname(file), { recursive: true, mode: 0o700 })
        await writeFile(file, '', { mode: 0o600, flag: 'wx' })
      } else if (entry.kind === 'bytes') await append(file, entry)
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

/** What is said to be restored must survive a power failure, as the database does. */
async function append(path: string, { bytes }: BackupEntry & { kind: 'bytes' }): Promise<void> {
  const file = await open(path, 'a')
  try {
    await file.writeFile(Buffer.from(bytes, 'base64'))
    await file.sync()
  } finally {
    await file.close()
  }
}
