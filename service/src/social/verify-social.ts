import { ServiceError } from '@slipway/schema/errors'
import type { Social } from './social.ts'

/** Up to 4 KiB of printable ASCII: nothing else can be a credential, or stand in a header. */
const CREDENTIAL = /^[ -~]{1,4096}$/

/** Exchanges an access token of the social network for our own proof of who its owner is there. */
export async function verifySocial(
  { network, tokens }: Pick<Social, 'network' | 'tokens'>,
  accessToken: string,
): Promise<{ username: string; token: string }> {
  if (!CREDENTIAL.test(accessToken)) throw new ServiceError('SOCIAL_REJECTED')
  const username = await network.fetchUsername(accessToken)
  return { username, token: await tokens.issue(username) }
}
