import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readVersion } from '../../lib/read-version.ts'
import { OperatorError } from '../../operator-error.ts'
import type { ConnectionOptions } from '../../store/database.ts'
import { dumpTables } from '../../store/dump-tables.ts'
import type { CommandContext } from '../command-context.ts'
import { withStore } from '../open-store.ts'
import { type BackupEntry, FORMAT, writeBackupFile } from './backup-file.ts'
import { readDataFiles } from './data-files.ts'

/** Writes the embedded store, the embedded chains and the generated keys to a file. The service may be running. */
export async function backup(context: CommandContext): Promise<void> {
  const { config, operands, output } = context
  assertEmbedded(context)
  const path = resolve(operands[0] as string)
  await withStore(context, 'copy', async ({ connection }) => {
    const counts = { rows: 0, files: 0 }
    const header = { format: FORMAT, version: readVersion(), createdAt: new Date().toISOString() }
    await writeBackupFile(path, header, count(readEverything(connection, config.dataDir), counts))
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
