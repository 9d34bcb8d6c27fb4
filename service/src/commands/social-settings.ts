import { randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import type { SocialSettings } from '../social/social.ts'
import type { LocalChains } from './start-local-chains.ts'

const REAL_API_URL = 'https://api.x.com'
const SECRET_FILE = 'social-token-secret'
const SECRET_BYTES = 32

/** Tokens must be valid on every node and after a restart, so a secret is generated only for the embedded chains. */
export function assertSocialSecret({ social }: Config): void {
  if (social.tokenSecret === undefined)
    throw new OperatorError(
      'SOCIAL_TOKEN_SECRET must be set to the same value on all nodes. "openssl rand -base64 32" prints a new one.',
    )
}

/** The configured settings. While the chains are embedded, the stand-in network and a generated secret fill the gaps. */
export async function readSocialSettings(
  { social, dataDir }: Config,
  chains: Pick<LocalChains, 'socialUrl'> | undefined,
): Promise<SocialSettings> {
  return {
    apiUrl: social.apiUrl ?? chains?.socialUrl ?? REAL_API_URL,
    tokenSecret: social.tokenSecret ?? (await readOrCreateSecret(dataDir)),
    tokenSecretPrevious: social.tokenSecretPrevious,
  }
}

/** The secret in the data folder, created if there is none. Processes that start at the same time get the same one. */
export async function readOrCreateSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, SECRET_FILE)
  try {
    return (await readSecret(path)) ?? (await createSecret(path))
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
    throw new OperatorError(`${path} is shorter than ${SECRET_BYTES} bytes. Delete it and start again.`)
  return secret
}

async function createSecret(path: string): Promise<string> {
  const temporary = `${path}.${process.pid}-${randomBytes(6).toString('hex')}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(`${randomBytes(SECRET_BYTES).toString('base64url')}\n`)
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
  return (await readSecret(path)) as string
}
