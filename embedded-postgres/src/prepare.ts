import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { EmbeddedPostgresError } from './api.ts'
import { type Binaries, openInstalled } from './binaries.ts'
import { changeOwner, type DataDir, openSocketFolder } from './data-dir.ts'
import { user } from './lock.ts'
import { isAlive } from './postmaster.ts'
import { canRun, isRoot, listRunAs, type RunAs, runProgram } from './run-as.ts'

/** Everything that a start needs. It stays the same across restarts. */
export interface Setup {
  dataDir: DataDir
  socketFolder: string
  binaries: Binaries
  runAs: RunAs
  connections?: number | undefined
}

/** What tests replace. */
export interface Overrides {
  binaries?: string
}

/** Finds the programs and a user that can run them, and creates the database if there is none. */
export async function prepare(dataDir: DataDir, overrides: Overrides): Promise<Setup> {
  const { path, realPath, pgdata, majorVersion } = dataDir
  const binaries = await openInstalled(realPath, overrides.binaries)
  if (majorVersion !== undefined && majorVersion !== binaries.majorVersion) {
    throw new EmbeddedPostgresError(
      `DATA_DIR ${path} holds a PostgreSQL ${majorVersion} database, but this Slipway runs PostgreSQL ${binaries.majorVersion}: move the data with the Slipway version that created it, or choose another DATA_DIR.`,
    )
  }
  const runAs = await chooseRunAs(dataDir, binaries)
  if (majorVersion === undefined) await createDatabase(pgdata, binaries, runAs)
  if (isRoot()) await changeOwner(pgdata, runAs.fileOwner)
  const socketFolder = await openSocketFolder(pgdata, runAs.fileOwner)
  return { dataDir, binaries, runAs, socketFolder }
}

async function chooseRunAs(
  { path, pgdata, majorVersion, owner }: DataDir,
  binaries: Binaries,
): Promise<RunAs> {
  const candidates = await listRunAs(owner)
  // An ordinary user can always run an existing database as itself; only initdb may need a user namespace.
  if (!isRoot() && majorVersion !== undefined && candidates[0]) return candidates[0]
  for (const runAs of candidates) {
    if (await canRun(runAs, binaries.initdb, pgdata)) return runAs
  }
  if (!isRoot()) {
    throw new EmbeddedPostgresError(
      `DATA_DIR ${path} cannot be used: PostgreSQL cannot run as this user (id ${process.getuid?.()}), which may have no entry in /etc/passwd. Run as another user, or set DATABASE_URL.`,
    )
  }
  throw new EmbeddedPostgresError(
    `DATA_DIR ${path} cannot be used by root: PostgreSQL must run as another user, and no other user can reach this folder. Run Slipway as an ordinary user, choose a DATA_DIR that the user "postgres" or "nobody" can reach, or set DATABASE_URL.`,
  )
}

const partialName = /^db\.new-(\d+)-[0-9a-f]+$/
const inProgress = new Set<string>()

/**
 * Creates the database under a temporary name and renames it when complete, so that a kill never leaves half a
 * database.
 */
async function createDatabase(pgdata: string, binaries: Binaries, runAs: RunAs): Promise<void> {
  const folder = dirname(pgdata)
  await removeLeftovers(folder)
  const partial = join(folder, `db.new-${process.pid}-${randomBytes(4).toString('hex')}`)
  inProgress.add(basename(partial))
  try {
    await mkdir(partial, { mode: 0o700 })
    const { uid, gid } = runAs.fileOwner
    if (uid !== process.getuid?.()) await chown(partial, uid, gid)
    const { code, output } = await runProgram([binaries.initdb, '-D', partial, ...initdbOptions], runAs)
    if (code !== 0) throw new Error(findInitdbError(output))
    await putInPlace(partial, pgdata)
  } finally {
    await rm(partial, { recursive: true, force: true })
    inProgress.delete(basename(partial))
  }
}

// The sort order is PostgreSQL's own: a system upgrade could change the system's sort order and break the indexes.
const initdbOptions = [
  `--username=${user}`,
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
]

async function putInPlace(partial: string, pgdata: string): Promise<void> {
  try {
    await rename(partial, pgdata)
  } catch (error) {
    // Another process finished first, and its database is equivalent.
    if (await hasDatabase(pgdata)) return
    throw error
  }
  const folder = await open(dirname(pgdata), 'r')
  await folder.sync().finally(() => folder.close())
}

/** Removes databases that were only partly created when their process was killed. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(partialName.exec(name)?.[1] ?? 0)
    if (pid === 0 || inProgress.has(name)) continue
    const path = join(folder, name)
    // Containers reuse the same few ids, so a folder with our own id, or an old folder, is a leftover too.
    const ageMs = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0)
    if (pid === process.pid || !isAlive(pid) || ageMs > 600_000) {
      await rm(path, { recursive: true, force: true })
    }
  }
}

async function hasDatabase(pgdata: string): Promise<boolean> {
  return Boolean(await stat(join(pgdata, 'PG_VERSION')).catch(() => undefined))
}

function findInitdbError(output: string): string {
  const lines = output.trim().split('\n')
  // A full disk causes further errors, and the first one is the clearest.
  const full = lines.find(line => /No space left|quota exceeded/i.test(line))
  return full ?? lines.findLast(line => /error:|FATAL:|PANIC:/.test(line)) ?? lines.at(-1) ?? 'initdb failed'
}
