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
 * Whom a verification token is for: the service, whichever node answers and under whatever PUBLIC_URL. Deployments are
 * kept apart by their secrets.
 */
const AUDIENCE = 'slipway'

export function createSocial(
  { apiUrl, tokenSecret, tokenSecretPrevious }: SocialSettings,
  observer: SocialObserver,
): Social {
  return {
    network: createSocialNetwork({ apiUrl, observer }),
    tokens: createVerificationTokens({
      secret: tokenSecret,
      previousSecret: tokenSecretPrevious,
      audience: AUDIENCE,
    }),
  }
}
