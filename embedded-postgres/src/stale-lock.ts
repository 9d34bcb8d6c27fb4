import { randomBytes } from 'node:crypto'
import { link, readFile, rename, rm } from 'node:fs/promises'
import { ifMissing } from './data-dir.ts'

/**
 * Removes a lock file whose process id now belongs to somebody else: PostgreSQL only sees that the id is alive,
 * and refuses to start.
 */
export async function removeStaleLock(
  path: string,
  isHolder: (pid: number) => Promise<boolean>,
): Promise<void> {
  const before = await readFile(path, 'utf8').catch(ifMissing)
  if (before === undefined || (await isHolder(pidIn(before)))) return
  // Another start may have replaced it since: then what we took away goes back.
  const aside = `${path}.${randomBytes(4).toString('hex')}`
  try {
    await rename(path, aside)
    const taken = await readFile(aside, 'utf8')
    if (pidIn(taken) !== pidIn(before)) await link(aside, path)
  } catch (error) {
    ifMissing(error as NodeJS.ErrnoException)
  } finally {
    await rm(aside, { force: true })
  }
}

function pidIn(text: string): number {
  return Math.abs(Number.parseInt(text, 10))
}
