import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../operator-error.ts'

/**
 * The text of a file in the data folder that only its owner can read, trimmed. It is created if there is none; processes
 * that start at the same time get the same text.
 */
export async function readOrCreateFile(
  dataDir: string,
  name: string,
  create: () => string,
): Promise<{ path: string; text: string }> {
  const path = join(dataDir, name)
  try {
    const text = (await readText(path)) ?? (await createFile(path, create()))
    return { path, text: text.trim() }
  } catch (error) {
    throw new OperatorError(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

async function readText(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(error => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
}

async function createFile(path: string, text: string): Promise<string> {
  const temporary = `${path}.${process.pid}-${randomBytes(6).toString('hex')}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(`${text}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    // A link, unlike a rename, never replaces the file of a process that was faster.
    await link(temporary, path).catch(error => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(temporary, { force: true })
  }
  return (await readText(path)) as string
}
