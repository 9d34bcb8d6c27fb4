import { lstat, mkdir, open, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { OperatorError } from '../../operator-error.ts'

const RESTORING = '.restoring'
const REPLACED = 'replaced-'
const MARKER = `${RESTORING}.json`
/** The moves take milliseconds. So an older marker is a leftover, even if another process has got the id that it names. */
const MARKER_MS_MAX = 60_000

/** Everything that changes a file. A test stops between any two of these calls, as a kill would. */
const FILES = { mkdir, rename, rm, rmdir, writeFile }
export type Files = typeof FILES

/** What the marker file says while the content of DATA_DIR is being replaced. All folders and names are in DATA_DIR. */
interface Replacement {
  /** A kill during the first step is undone, and a kill during the second is completed. */
  step: 'moving the earlier content out' | 'moving the restored content in'
  pid: number
  restored: string
  replaced: string
  earlierNames: string[]
  restoredNames: string[]
}

/** The start of the name of a folder in which a restore builds. It says which process does. */
export const restoringPrefix = () => `${RESTORING}-${process.pid}-`

/** What a restore replaces: neither its own files nor the folder that a file system has at its top. */
export async function listContent(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch(error => {
    if (error.code === 'ENOENT') return []
    throw new OperatorError(`DATA_DIR ${dataDir} cannot be used: ${error.message}`)
  })
  return names.filter(
    name => !name.startsWith(RESTORING) && !name.startsWith(REPLACED) && name !== 'lost+found',
  )
}

/**
 * Moves the content of a folder in DATA_DIR into DATA_DIR. Returns the folder in which the earlier content is now. If a move fails,
 * those before it are undone; if this process is killed, `settleRestore` does the rest.
 */
export async function replaceContent(
  dataDir: string,
  restored: string,
  files: Files = FILES,
): Promise<string | null> {
  if (await readMarker(dataDir))
    throw new OperatorError(`Another restore into DATA_DIR ${dataDir} was interrupted. Run this one again.`)
  const earlierNames = await listContent(dataDir)
  let plan: Replacement = {
    step: 'moving the earlier content out',
    pid: process.pid,
    restored: basename(restored),
    replaced: `${REPLACED}${Date.now()}`,
    earlierNames,
    restoredNames: await readdir(restored),
  }
  const replaced = join(dataDir, plan.replaced)
  try {
    await writeMarker(dataDir, plan, files)
    if (earlierNames.length > 0) await files.mkdir(replaced, { mode: 0o700 })
    for (const name of earlierNames) await files.rename(join(dataDir, name), join(replaced, name))
    plan = { ...plan, step: 'moving the restored content in' }
    await writeMarker(dataDir, plan, files)
    await moveIn(dataDir, plan, files)
  } catch (error) {
    const left = await undo(dataDir, plan, files).then(
      () => '',
      () => '. The next start completes or undoes the restore',
    )
    const { message } = error as Error
    throw new OperatorError(`DATA_DIR ${dataDir} cannot be replaced: ${message}${left}`, { cause: error })
  }
  await removeOwnFiles(dataDir, plan, files)
  return earlierNames.length > 0 ? replaced : null
}

/**
 * Completes or undoes a restore that was killed. Returns what it found and did, for the operator. Anything that uses the content of
 * DATA_DIR calls it first.
 */
export async function settleRestore(dataDir: string, files: Files = FILES): Promise<string | undefined> {
  const plan = await readMarker(dataDir)
  const wasBuilding = (await removeLeftovers(dataDir, plan, files)) > 0
  if (!plan)
    return wasBuilding
      ? `A restore was interrupted before it changed anything in DATA_DIR ${dataDir}.`
      : undefined
  try {
    return await settle(dataDir, plan, files)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `A restore into DATA_DIR ${dataDir} was interrupted and can't be completed or undone: ${(error as Error).message}. Correct this and try again, as the user that ran the restore.`,
      { cause: error },
    )
  }
}

async function settle(dataDir: string, plan: Replacement, files: Files): Promise<string> {
  if (plan.step === 'moving the earlier content out') {
    await undo(dataDir, plan, files)
    return `A restore was interrupted and is now undone: DATA_DIR ${dataDir} has its earlier content.`
  }
  await assertComplete(dataDir, plan)
  await moveIn(dataDir, plan, files)
  await removeOwnFiles(dataDir, plan, files)
  const earlier =
    plan.earlierNames.length > 0 ? ` What was there before is in ${join(dataDir, plan.replaced)}.` : ''
  return `A restore was interrupted and is now complete: DATA_DIR ${dataDir} has the restored content.${earlier}`
}

/** Whether `settleRestore` would move something. */
export const isRestoreUnsettled = (dataDir: string): Promise<boolean> => exists(join(dataDir, MARKER))

async function moveIn(dataDir: string, { restored, restoredNames }: Replacement, files: Files) {
  for (const name of restoredNames) {
    const from = join(dataDir, restored, name)
    if (await exists(from)) await files.rename(from, join(dataDir, name))
  }
  await syncFolder(dataDir)
}

async function undo(dataDir: string, plan: Replacement, files: Files) {
  if (plan.step === 'moving the restored content in') {
    for (const name of plan.restoredNames) {
      const [from, to] = [join(dataDir, name), join(dataDir, plan.restored, name)]
      if (!(await exists(to))) await files.rename(from, to)
    }
    await writeMarker(dataDir, { ...plan, step: 'moving the earlier content out' }, files)
  }
  const replaced = join(dataDir, plan.replaced)
  for (const name of plan.earlierNames)
    if (await exists(join(replaced, name))) await files.rename(join(replaced, name), join(dataDir, name))
  if (await exists(replaced)) await files.rmdir(replaced)
  await removeOwnFiles(dataDir, plan, files)
}

/** The marker last: until then, a kill is noticed. */
async function removeOwnFiles(dataDir: string, { restored }: Replacement, files: Files) {
  await files.rm(join(dataDir, restored), { recursive: true, force: true })
  await syncFolder(dataDir)
  await files.rm(join(dataDir, MARKER), { force: true })
}

/** Throws if someone has deleted what was restored, before it is all in its place. */
async function assertComplete(dataDir: string, { restored, replaced, restoredNames }: Replacement) {
  for (const name of restoredNames)
    if (!(await exists(join(dataDir, restored, name))) && !(await exists(join(dataDir, name))))
      throw new OperatorError(
        `A restore was interrupted, and "${name}", which it had restored, is missing. Move the content of ${join(dataDir, replaced)} back to DATA_DIR, delete ${join(dataDir, MARKER)}, and run the restore again.`,
      )
}

async function writeMarker(dataDir: string, plan: Replacement, files: Files) {
  const partial = join(dataDir, `${MARKER}.partial`)
  await files.writeFile(partial, `${JSON.stringify(plan)}\n`, { mode: 0o600, flush: true })
  await files.rename(partial, join(dataDir, MARKER))
  await syncFolder(dataDir)
}

async function readMarker(dataDir: string): Promise<Replacement | undefined> {
  const path = join(dataDir, MARKER)
  // If DATA_DIR itself can't be read, whatever uses it says so.
  const found = await lstat(path).catch(() => undefined)
  if (!found) return undefined
  let plan: Replacement
  try {
    plan = JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new OperatorError(
      `A restore was interrupted, and its file ${path} can't be read: ${(error as Error).message}. Run this as the user that ran the restore.`,
    )
  }
  if (isOther(plan.pid) && Date.now() - found.mtimeMs < MARKER_MS_MAX)
    throw new OperatorError(
      `A restore into DATA_DIR ${dataDir} is about to finish (process ${plan.pid}). Try again in a minute.`,
    )
  return plan
}

/** Removes what restores that were killed have left, and returns how many of them had changed nothing yet. */
async function removeLeftovers(dataDir: string, plan: Replacement | undefined, files: Files) {
  const names = await readdir(dataDir).catch(() => [])
  const leftovers = names.filter(name => {
    const pid = new RegExp(`^${RESTORING}-(\\d+)-`).exec(name)?.[1]
    return pid !== undefined && name !== plan?.restored && !isOther(Number(pid))
  })
  const partial = names.filter(name => name === `${MARKER}.partial`)
  // If they can't be removed, for example because another user owns them, they do no harm.
  for (const name of [...leftovers, ...partial])
    await files.rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
  return leftovers.length
}

/** Whether another process has this id. Containers reuse the same few, so our own may be that of a killed one. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A link counts even if it leads nowhere. */
const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    error => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false
      throw error
    },
  )

async function syncFolder(path: string) {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}
