import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import {
  access,
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  stat,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { EmbeddedPostgresError, explainFailure } from './api.ts'
import { socketName } from './lock.ts'
import { type Account, isRoot } from './run-as.ts'

export interface DataDir {
  /** As configured, for messages. */
  path: string
  /** With links resolved. */
  realPath: string
  /** Where the database is or will be. This is outside DATA_DIR if `db` is a link. */
  pgdata: string
  /** The PostgreSQL version that created the database; undefined if there is no database yet. */
  majorVersion: string | undefined
  /** The owner of the database, or of DATA_DIR if there is no database yet. */
  owner: Account
}

/** Creates DATA_DIR if necessary and describes its contents. */
export async function openDataDir(path: string): Promise<DataDir> {
  await createFolder(path).catch(error => {
    if (error.code !== 'EEXIST' && error.code !== 'ENOTDIR') throw explainFailure(path, error)
    throw new EmbeddedPostgresError(`DATA_DIR ${path} is a file: set DATA_DIR to a folder.`, {
      cause: error,
    })
  })
  try {
    const realPath = await realpath(path)
    await access(realPath, constants.R_OK | constants.W_OK | constants.X_OK)
    return { path, realPath, ...(await findDatabase(path, realPath)) }
  } catch (error) {
    throw explainFailure(path, error)
  }
}

// Others can enter the folder but not list it, because root may have to run the server as another user.
const folderMode = 0o711

/** Creates one level at a time: Node's recursive mkdir never returns on file systems that deny that a parent exists. */
async function createFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: folderMode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    const parent = dirname(path)
    if (code !== 'ENOENT' || parent === path || (await stat(parent).catch(() => undefined))) throw error
    await createFolder(parent)
    await mkdir(path, { mode: folderMode })
  }
}

async function findDatabase(path: string, realPath: string) {
  const db = join(realPath, 'db')
  const found = await lstat(db).catch(ignoreMissing)
  if (!found) return { pgdata: db, majorVersion: undefined, owner: await ownerOf(realPath) }
  const pgdata = await realpath(db).catch(error => {
    if (error.code !== 'ENOENT') throw error
    throw new EmbeddedPostgresError(
      `DATA_DIR ${path} links to a database folder that no longer exists (see ${db}): restore the folder, or remove the link to start with an empty database.`,
    )
  })
  const owner = await ownerOf(pgdata)
  if (!isRoot() && owner.uid !== process.getuid?.()) {
    throw new EmbeddedPostgresError(
      `DATA_DIR ${path} has a database owned by another user (id ${owner.uid}): run Slipway as that user, or change the owner of ${pgdata} with chown -R.`,
    )
  }
  const version = await readFile(join(pgdata, 'PG_VERSION'), 'utf8').catch(ignoreMissing)
  if (version === undefined && (await readdir(pgdata)).length > 0) {
    throw new EmbeddedPostgresError(
      `DATA_DIR ${path} has a folder "db" that is not a PostgreSQL database: move it elsewhere, or choose another DATA_DIR.`,
    )
  }
  return { pgdata, majorVersion: version?.trim(), owner }
}

/**
 * Makes an account the owner of a database, because root may choose different accounts for two starts.
 * The top folder comes last: its owner shows that everything inside it is done.
 */
export async function changeOwner(pgdata: string, { uid, gid }: Account): Promise<void> {
  const top = await lstat(pgdata)
  if (top.uid === uid) return
  await changeOwnerInside(pgdata, uid, gid)
  await lchown(pgdata, uid, gid)
}

async function changeOwnerInside(folder: string, uid: number, gid: number): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await changeOwnerInside(path, uid, gid)
    // The previous owner could have hard-linked any file of the system here; PostgreSQL itself creates no hard links.
    else if (entry.isFile() && (await lstat(path)).nlink > 1)
      throw new Error(`${path} has a second hard link`)
    await lchown(path, uid, gid)
  }
}

const socketPathBytesMax = process.platform === 'linux' ? 107 : 103

/** Returns a private folder for the socket: the database folder or, if that path is too long, a temporary folder. */
export async function openSocketFolder(pgdata: string, { uid, gid }: Account): Promise<string> {
  if (fits(pgdata)) return pgdata
  const folder = join(await temporaryFolder(), `slipway-${hashPath(pgdata)}`)
  await mkdir(folder, { mode: 0o700 }).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(folder)
  // Any user can write to the temporary folder, and a folder made by another user would give them the database.
  const trusted = [process.getuid?.(), uid]
  if (!found.isDirectory() || !trusted.includes(found.uid)) {
    throw new EmbeddedPostgresError(
      `The folder ${folder} belongs to another user: remove it, or choose a DATA_DIR with a shorter path.`,
    )
  }
  await chmod(folder, 0o700)
  if (found.uid !== uid) await chown(folder, uid, gid)
  return folder
}

async function temporaryFolder(): Promise<string> {
  const folder = await realpath(tmpdir()).catch(() => '/tmp')
  return fits(join(folder, 'slipway-0123456789abcdef')) ? folder : '/tmp'
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, socketName)) <= socketPathBytesMax
}

/** A short name that is always the same for the same path. */
function hashPath(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}

export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function ownerOf(path: string): Promise<Account> {
  const { uid, gid } = await stat(path)
  return { uid, gid }
}
