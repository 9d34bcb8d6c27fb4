import type { SocialSettings } from '@slipway/service/social/social'

/** Nothing here asks the social network. */
export const NO_SOCIAL: SocialSettings = {
  apiUrl: 'http://127.0.0.1:9',
  tokenSecret: 'nothing is signed with this in here',
  tokenSecretPrevious: undefined,
}
