import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import type { SocialSettings } from '../social/social.ts'
import { readOrCreateFile } from './private-file.ts'
import type { LocalChains } from './start-local-chains.ts'

export const REAL_API_URL = 'https://api.x.com'
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
  const { path, text } = await readOrCreateFile(dataDir, SECRET_FILE, () =>
    randomBytes(SECRET_BYTES).toString('base64url'),
  )
  if (Buffer.byteLength(text) < SECRET_BYTES)
    throw new OperatorError(`${path} is shorter than ${SECRET_BYTES} bytes. Delete it and start again.`)
  return text
}
