import type { SocialSettings } from '@slipway/service/social/social'

/** The benchmarks never call the social network. */
export const NO_SOCIAL: SocialSettings = {
  apiUrl: 'http://127.0.0.1:9',
  tokenSecret: 'a secret that the benchmarks never use',
  tokenSecretPrevious: undefined,
}
