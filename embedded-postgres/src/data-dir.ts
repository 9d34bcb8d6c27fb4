import { constants } from 'node:fs'
import { access, lstat, mkdir, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { EmbeddedPostgresError, explainFailure } from './clear-error.ts'
import { type Account, isRoot } from './user.ts'

export interface Place {
  /** As the operator wrote it, for messages. */
  named: string
  dataDir: string
  /** Where the database is or will be; elsewhere than in DATA_DIR when `db` is a link. */
  pgdata: string
  /** The PostgreSQL that made the database; undefined when there is none yet. */
  major: string | undefined
  /** Of the database, or of DATA_DIR while there is no database. */
  owner: Account
}

/** Creates DATA_DIR if needed and says what is in it, or fails with what is wrong with it. */
export async function openDataDir(named: string): Promise<Place> {
  // Others may pass through but not list: root may have to run the server as another user.
  await makeFolder(named).catch(error => {
    if (error.code !== 'EEXIST' && error.code !== 'ENOTDIR') throw explainFailure(named, error)
    throw new EmbeddedPostgresError(`DATA_DIR ${named} is a file: give the path of a folder.`, {
      cause: error,
    })
  })
  try {
    const dataDir = await realpath(named)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return { named, dataDir, ...(await findDatabase(named, dataDir)) }
  } catch (error) {
    throw explainFailure(named, error)
  }
}

/** Step by step: Node's own recursion never ends where a file system denies that a parent exists. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o711 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return
    const parent = dirname(path)
    if (code !== 'ENOENT' || parent === path || (await exists(parent))) throw error
    await makeFolder(parent)
    await mkdir(path, { mode: 0o711 })
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

async function findDatabase(named: string, dataDir: string) {
  const link = join(dataDir, 'db')
  const found = await lstat(link).catch(ifMissing)
  if (!found) return { pgdata: link, major: undefined, owner: await ownerOf(dataDir) }
  const pgdata = await realpath(link).catch(error => {
    if (error.code !== 'ENOENT') throw error
    throw new EmbeddedPostgresError(
      `DATA_DIR ${named} has its database elsewhere and that folder is gone (link ${link}): restore it, or remove the link to begin with an empty database.`,
    )
  })
  const owner = await ownerOf(pgdata)
  if (!isRoot() && owner.uid !== process.getuid?.()) {
    throw new EmbeddedPostgresError(
      `DATA_DIR ${named} has a database owned by another user (id ${owner.uid}): run Slipway as that user, or change the owner of ${pgdata} with chown -R.`,
    )
  }
  const version = await readFile(join(pgdata, 'PG_VERSION'), 'utf8').catch(ifMissing)
  if (version === undefined && (await readdir(pgdata)).length > 0) {
    throw new EmbeddedPostgresError(
      `DATA_DIR ${named} holds a folder "db" that is not a PostgreSQL database: move it away or choose another DATA_DIR.`,
    )
  }
  return { pgdata, major: version?.trim(), owner }
}

export function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function ownerOf(path: string): Promise<Account> {
  const { uid, gid } = await stat(path)
  return { uid, gid }
}
