import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../operator-error.ts'

const NAME = 'social-token-secret'
const SECRET_BYTES = 32

/** The secret kept in the data folder, made when there is none. Starts that happen at once agree on one. */
export async function keepSocialSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, NAME)
  try {
    return (await readSecret(path)) ?? (await makeSecret(path))
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

async function readSecret(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(error => {
    if (error.code !== 'ENOENT') throw error
  })
  if (text === undefined) return undefined
  const secret = text.trim()
  if (Buffer.byteLength(secret) < SECRET_BYTES)
    throw new OperatorError(`${path} holds no secret of ${SECRET_BYTES} bytes or more: delete it`)
  return secret
}

/** Written whole under another name first. A link, unlike a rename, never takes the place of what another start made. */
async function makeSecret(path: string): Promise<string> {
  const half = `${path}.${process.pid}-${randomBytes(6).toString('hex')}`
  try {
    const file = await open(half, 'wx', 0o600)
    try {
      await file.writeFile(`${randomBytes(SECRET_BYTES).toString('base64url')}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(half, path).catch(error => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(half, { force: true })
  }
  return (await readSecret(path)) as string
}
