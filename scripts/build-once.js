import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'

/**
 * The folder `dist/name`, which `build` fills if it is not there. The name must contain the hash of the sources, and
 * a finished folder is never changed. So any number of processes can build at once, and a read-only checkout runs
 * what was built before. Only the newest `kept` folders stay.
 */
export async function buildOnce({ dist, name, kept, build }) {
  const folder = join(dist, name)
  if (existsSync(folder)) return folder
  mkdirSync(dist, { recursive: true })
  const half = mkdtempSync(join(dist, '.half-'))
  try {
    await build(half)
    // A temporary folder is private, but the user that starts the service may not be the one that installed it.
    chmodSync(half, 0o755)
    renameSync(half, folder)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    // Another process may have been faster.
    if (!existsSync(folder)) throw error
  }
  removeOld(dist, kept, name)
  return folder
}

/** A younger unfinished folder stays, because another process may be building it. */
const HALF_MS = 3_600_000

function removeOld(dist, kept, own) {
  const names = readdirSync(dist).filter(name => name !== own)
  const builds = names
    .map(name => ({
      name,
      path: join(dist, name),
      ms: statSync(join(dist, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((a, b) => b.ms - a.ms)
  const finished = builds.filter(({ name }) => !name.startsWith('.half-')).slice(kept - 1)
  const left = builds.filter(({ name, ms }) => name.startsWith('.half-') && Date.now() - ms > HALF_MS)
  for (const { path } of [...finished, ...left]) rmSync(path, { recursive: true, force: true })
}

/** The hash of these files, and of the sources in these folders, without tests. Missing files are left out. */
export function hashSources(root, paths) {
  const hash = createHash('sha256')
  const add = file => hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  for (const path of paths) {
    const found = statSync(join(root, path), { throwIfNoEntry: false })
    if (found?.isFile()) add(path)
    if (!found?.isDirectory()) continue
    for (const name of readdirSync(join(root, path), { recursive: true, encoding: 'utf8' }).sort())
      if (/\.(tsx?|css|svg|png)$/.test(name) && !/\.test\.tsx?$/.test(name)) add(join(path, name))
  }
  return hash.digest('hex').slice(0, 16)
}
