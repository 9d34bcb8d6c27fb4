import { lstat, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../../operator-error.ts'

/**
 * A restore is a folder in DATA_DIR whose name says how far it is, and which process works on it:
 *
 * - `.restoring-<pid>-…`: is being built. DATA_DIR has its earlier content; after a kill, the folder is removed.
 * - `.restored-<time>-<pid>`: is complete. The earlier content is moving to `replaced-<time>`.
 * - `.moving-in-<time>-<pid>`: the restored content is moving to its place.
 *
 * A kill during either move is completed by the next start.
 */
const BUILDING = '.restoring-'
const COMPLETE = '.restored-'
const MOVING_IN = '.moving-in-'
const REPLACED = 'replaced-'
const UNSETTLED = /^\.(?:restored|moving-in)-(\d+)-(\d+)$/
/** The moves take milliseconds. After this time, a process with that id is another one. */
const MOVE_MS_MAX = 60_000

/** Everything that changes a file. A test stops between any two of these calls, as a kill would. */
const FILES = { mkdir, rename, rm, rmdir }
export type Files = typeof FILES

/** The start of the name of a folder in which a restore builds. */
export const buildingPrefix = () => `${BUILDING}${process.pid}-`

/** What a restore replaces: neither its own folders nor the one that a file system has at its top. */
export async function listContent(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir).catch(error => {
    if (error.code === 'ENOENT') return []
    throw new OperatorError(`DATA_DIR ${dataDir} cannot be used: ${error.message}`)
  })
  const isOwn = (name: string) => [BUILDING, COMPLETE, MOVING_IN, REPLACED].some(own => name.startsWith(own))
  return names.filter(name => name !== 'lost+found' && !isOwn(name))
}

/**
 * Moves the content of a folder in DATA_DIR into DATA_DIR. Returns the folder in which the earlier content is now. If that can't be
 * moved, it stays where it was; if this process is killed, `settleRestore` does the rest.
 */
export async function replaceContent(
  dataDir: string,
  built: string,
  files: Files = FILES,
): Promise<string | undefined> {
  if (await isRestoreUnsettled(dataDir))
    throw new OperatorError(`Another restore into DATA_DIR ${dataDir} was interrupted. Run this one again.`)
  const time = Date.now()
  const complete = `${COMPLETE}${time}-${process.pid}`
  try {
    await files.rename(built, join(dataDir, complete))
    await moveOut(dataDir, complete, files)
  } catch (error) {
    const left = await undoMoveOut(dataDir, complete, files).then(
      () => '',
      () => '. The next start completes the restore',
    )
    throw new OperatorError(`DATA_DIR ${dataDir} cannot be replaced: ${(error as Error).message}${left}`)
  }
  await moveIn(dataDir, complete, files)
  return findReplaced(dataDir, complete)
}

/**
 * Completes a restore that was killed. Returns what it found and did, for the operator. Anything that uses the content of DATA_DIR
 * calls it first.
 */
export async function settleRestore(dataDir: string, files: Files = FILES): Promise<string | undefined> {
  const names = await readdir(dataDir).catch(() => [])
  const unbuilt = names.filter(name => name.startsWith(BUILDING) && !isOther(Number(name.split('-')[1])))
  // If they can't be removed, for example because another user owns them, they do no harm.
  for (const name of unbuilt)
    await files.rm(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 }).catch(() => {})
  const [name, time, pid] = names.map(each => UNSETTLED.exec(each)).find(Boolean) ?? []
  if (name === undefined)
    return unbuilt.length > 0
      ? `A restore was interrupted before it changed anything in DATA_DIR ${dataDir}.`
      : undefined
  if (isOther(Number(pid)) && Date.now() - Number(time) < MOVE_MS_MAX)
    throw new OperatorError(
      `A restore into DATA_DIR ${dataDir} is about to finish (process ${pid}). Try again in a minute.`,
    )
  try {
    if (name.startsWith(COMPLETE)) await moveOut(dataDir, name, files)
    await moveIn(dataDir, name, files)
  } catch (error) {
    throw new OperatorError(
      `A restore into DATA_DIR ${dataDir} was interrupted and can't be completed: ${(error as Error).message}. Correct this and try again, as the user that ran the restore.`,
    )
  }
  const replaced = await findReplaced(dataDir, name)
  const earlier = replaced ? ` What was there before is in ${replaced}.` : ''
  return `A restore was interrupted and is now complete: DATA_DIR ${dataDir} has the restored content.${earlier}`
}

/** Whether `settleRestore` would move something. */
export const isRestoreUnsettled = async (dataDir: string): Promise<boolean> =>
  (await readdir(dataDir).catch(() => [])).some(name => UNSETTLED.test(name))

const replacedBy = (dataDir: string, name: string) => join(dataDir, `${REPLACED}${UNSETTLED.exec(name)?.[1]}`)

const findReplaced = async (dataDir: string, name: string) =>
  (await exists(replacedBy(dataDir, name))) ? replacedBy(dataDir, name) : undefined

const toMovingIn = (name: string) => name.replace(COMPLETE, MOVING_IN)

async function moveOut(dataDir: string, complete: string, files: Files) {
  await syncFolder(dataDir)
  const earlier = await listContent(dataDir)
  const replaced = replacedBy(dataDir, complete)
  if (earlier.length > 0) await files.mkdir(replaced, { mode: 0o700, recursive: true })
  // Two starts may do this at the same time. What is there already must not be overwritten.
  for (const name of earlier)
    if (!(await exists(join(replaced, name)))) await files.rename(join(dataDir, name), join(replaced, name))
  await syncFolder(dataDir)
  await files.rename(join(dataDir, complete), join(dataDir, toMovingIn(complete)))
}

async function undoMoveOut(dataDir: string, complete: string, files: Files) {
  const replaced = replacedBy(dataDir, complete)
  for (const name of await readdir(replaced).catch(() => []))
    await files.rename(join(replaced, name), join(dataDir, name))
  await files.rmdir(replaced).catch(() => {})
  await files.rm(join(dataDir, complete), { recursive: true, force: true })
}

async function moveIn(dataDir: string, name: string, files: Files) {
  const folder = join(dataDir, toMovingIn(name))
  await syncFolder(dataDir)
  for (const each of await readdir(folder)) await files.rename(join(folder, each), join(dataDir, each))
  await syncFolder(dataDir)
  await files.rmdir(folder)
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
