import type { Config } from '../config.ts'
import { OperatorError } from '../operator-error.ts'
import type { SocialSettings } from '../social/social.ts'
import { keepSocialSecret } from './social-secret.ts'
import type { LocalChains } from './start-local-chains.ts'

const REAL_API_URL = 'https://api.x.com'

/** Tokens must count on every node and after a restart: a secret is made up only where nothing is real. */
export function requireSocialSecret({ social }: Config): void {
  if (social.tokenSecret === undefined)
    throw new OperatorError(
      'SOCIAL_TOKEN_SECRET must be set, the same on all nodes: 32 bytes or more, such as openssl rand -base64 32 prints',
    )
}

/** What is configured; while the chains are embedded, their stand-in and a secret of our own fill the gaps. */
export async function openSocialSettings(
  { social, dataDir }: Config,
  chains: Pick<LocalChains, 'socialUrl'> | undefined,
): Promise<SocialSettings> {
  return {
    apiUrl: social.apiUrl ?? chains?.socialUrl ?? REAL_API_URL,
    tokenSecret: social.tokenSecret ?? (await keepSocialSecret(dataDir)),
    tokenSecretPrevious: social.tokenSecretPrevious,
  }
}
