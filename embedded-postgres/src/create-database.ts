import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Binaries } from './binaries.ts'
import { isAlive } from './postmaster.ts'
import { runProgram } from './run-program.ts'
import type { RunAs } from './user.ts'

export const user = 'slipway'
const halfMade = /^db\.new-(\d+)-[0-9a-f]+$/
const underWay = new Set<string>()

/** Makes the database beside its place and renames it there when complete, so that no kill leaves half of one. */
export async function createDatabase(
  { binaries, runAs }: { binaries: Binaries; runAs: RunAs },
  { pgdata }: { pgdata: string },
): Promise<void> {
  const folder = dirname(pgdata)
  await removeLeftovers(folder)
  const half = join(folder, `db.new-${process.pid}-${randomBytes(4).toString('hex')}`)
  underWay.add(basename(half))
  try {
    await mkdir(half, { mode: 0o700 })
    if (runAs.files.uid !== process.getuid?.()) await chown(half, runAs.files.uid, runAs.files.gid)
    const { code, output } = await runProgram([binaries.initdb, '-D', half, ...initdbOptions], runAs)
    if (code !== 0) throw new Error(errorIn(output))
    await putInPlace(half, pgdata)
  } finally {
    await rm(half, { recursive: true, force: true })
    underWay.delete(basename(half))
  }
}

// The sort order is PostgreSQL's own: one of the system could change under the indexes with an upgrade.
const initdbOptions = [
  `--username=${user}`,
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
]

async function putInPlace(half: string, pgdata: string): Promise<void> {
  try {
    await rename(half, pgdata)
  } catch (error) {
    // Another start was faster, and its database is as good as ours.
    if (await stat(join(pgdata, 'PG_VERSION')).catch(() => undefined)) return
    throw error
  }
  const folder = await open(dirname(pgdata), 'r')
  await folder.sync().finally(() => folder.close())
}

/** What starts that were killed left behind. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(halfMade.exec(name)?.[1] ?? 0)
    if (pid === 0 || underWay.has(name)) continue
    const path = join(folder, name)
    // In a container the same few ids come back: our own id, or an old folder, is a leftover too.
    const ageMs = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? 0)
    if (pid === process.pid || !isAlive(pid) || ageMs > 600_000) {
      await rm(path, { recursive: true, force: true })
    }
  }
}

function errorIn(output: string): string {
  const lines = output.trim().split('\n')
  // A full disk makes more complaints follow, each less clear than the first.
  const full = lines.find(line => /No space left|quota exceeded/i.test(line))
  return full ?? lines.findLast(line => /error:|FATAL:|PANIC:/.test(line)) ?? lines.at(-1) ?? 'initdb failed'
}
