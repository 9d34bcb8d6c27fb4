import { ServiceError } from '@slipway/schema/errors'
import { createSocialNetwork, type SocialNetwork, type SocialObserver } from './social-network.ts'
import { createVerificationTokens, type VerificationTokens } from './verification-token.ts'

export interface SocialSettings {
  /** The base of `/2/users/me`. */
  apiUrl: string
  tokenSecret: string
  tokenSecretPrevious: string | undefined
}

export interface Social {
  network: SocialNetwork
  tokens: VerificationTokens
}

/**
 * The audience of every verification token, on every node and under any PUBLIC_URL. Deployments are kept apart by their
 * secrets.
 */
const AUDIENCE = 'slipway'

export function createSocial(
  { apiUrl, tokenSecret, tokenSecretPrevious }: SocialSettings,
  { now = Date.now, ...observer }: SocialObserver & { now?(): number },
): Social {
  return {
    network: createSocialNetwork({ apiUrl, observer }),
    tokens: createVerificationTokens({
      secret: tokenSecret,
      previousSecret: tokenSecretPrevious,
      audience: AUDIENCE,
      now,
    }),
  }
}

/** Up to 4 KiB of printable ASCII. Nothing else can be a credential, or be sent in a header. */
const CREDENTIAL = /^[ -~]{1,4096}$/

/** Exchanges an access token of the social network for our own proof of its owner's username. */
export async function verifySocial(
  { network, tokens }: Social,
  accessToken: string,
): Promise<{ username: string; token: string }> {
  if (!CREDENTIAL.test(accessToken)) throw new ServiceError('SOCIAL_REJECTED')
  const username = await network.fetchUsername(accessToken)
  return { username, token: await tokens.issue(username) }
}
