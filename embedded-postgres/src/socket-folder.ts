import { chmod, chown, lstat, mkdir, realpath } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './clear-error.ts'
import { nameFor } from './system-folder.ts'
import type { RunAs } from './user.ts'

export const port = 5432
const pathBytesMax = process.platform === 'linux' ? 107 : 103

export function socketPath(folder: string): string {
  return join(folder, `.s.PGSQL.${port}`)
}

/** The private folder of the server's socket: the database itself, or one in the temporary folder if that path is too long. */
export async function openSocketFolder(pgdata: string, runAs: RunAs): Promise<string> {
  if (fits(pgdata)) return pgdata
  const folder = join(await temporaryFolder(), `slipway-${nameFor(pgdata)}`)
  await mkdir(folder, { mode: 0o700 }).catch(error => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(folder)
  // Everyone may write in the temporary folder: somebody else's folder of that name would give them the database.
  const trusted = [process.getuid?.(), runAs.files.uid]
  if (!found.isDirectory() || !trusted.includes(found.uid)) {
    throw new EmbeddedPostgresError(
      `The folder ${folder} belongs to another user: remove it, or choose a DATA_DIR with a shorter path.`,
    )
  }
  await chmod(folder, 0o700)
  if (found.uid !== runAs.files.uid) await chown(folder, runAs.files.uid, runAs.files.gid)
  return folder
}

async function temporaryFolder(): Promise<string> {
  const folder = await realpath(tmpdir()).catch(() => '/tmp')
  return fits(join(folder, 'slipway-0123456789abcdef')) ? folder : '/tmp'
}

function fits(folder: string): boolean {
  return Buffer.byteLength(socketPath(folder)) <= pathBytesMax
}
