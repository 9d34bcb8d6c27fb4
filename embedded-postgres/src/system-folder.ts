import { createHash } from 'node:crypto'
import { chmod, cp, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Binaries, openBinaries } from './binaries.ts'
import type { Place } from './data-dir.ts'
import { asUser, findAccounts, works } from './run-as.ts'
import type { RunAs } from './user.ts'

export const systemFolder = '/var/lib/slipway'

/**
 * The last resort of root: programs, and a database that is yet to be made, in a folder that any user can reach.
 * Undefined when that does not help either.
 */
export async function useSystemFolder(
  { place, binaries, folder }: { place: Place; binaries: Binaries; folder: string },
  { pgdata }: { pgdata: string },
): Promise<{ runAs: RunAs; binaries: Binaries; pgdata: string } | undefined> {
  try {
    const copied = await copyBinaries(binaries, folder)
    const accounts = await findAccounts(place.owner)
    const elsewhere = join(folder, nameFor(place.dataDir), 'db')
    // A database that exists is never moved: only an absent one may be made elsewhere.
    for (const candidate of place.major === undefined ? [pgdata, elsewhere] : [pgdata]) {
      if (candidate === elsewhere) await mkdir(join(elsewhere, '..'), { recursive: true, mode: 0o755 })
      for (const runAs of accounts.map(asUser)) {
        if (await works(runAs, copied, candidate)) return { runAs, binaries: copied, pgdata: candidate }
      }
    }
  } catch {
    // A read-only or full system folder: the caller has the line that says what to do.
  }
  return undefined
}

/** A short name that stays the same for the same folder. */
export function nameFor(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}

async function copyBinaries(binaries: Binaries, folder: string): Promise<Binaries> {
  const native = join(folder, `postgresql-${binaries.version}`, 'native')
  if (!(await stat(native).catch(() => undefined))) {
    const half = join(folder, `postgresql-${binaries.version}.new-${process.pid}`)
    await mkdir(half, { recursive: true, mode: 0o755 })
    const filter = (path: string) => !path.endsWith('.a')
    await cp(binaries.native, join(half, 'native'), { recursive: true, verbatimSymlinks: true, filter })
    await openToAll(half)
    await rename(half, join(native, '..')).catch(() => rm(half, { recursive: true, force: true }))
  }
  return openBinaries(native)
}

/** The copies have the modes of a private folder, or of a strict umask. */
async function openToAll(path: string): Promise<void> {
  const found = await lstat(path)
  if (found.isSymbolicLink()) return
  await chmod(path, found.isDirectory() || found.mode & 0o100 ? 0o755 : 0o644)
  if (!found.isDirectory()) return
  for (const name of await readdir(path)) await openToAll(join(path, name))
}
