import { DEMO_SERVER_OFFSET } from '@slipway/local-chain/ports'
import { ServiceError } from '@slipway/schema/errors'
import { REAL_API_URL } from '../../boot/social-settings.ts'
import { type Config, embedsChains } from '../../config.ts'
import { createSocialNetwork } from '../../social/social-network.ts'
import { type Check, ok, warn } from './check.ts'

const NAME = 'social network'

/** Sends a token that no account has: a network that works refuses it. */
export async function checkSocial(config: Config, isServed: boolean): Promise<Check> {
  const { apiUrl } = config.social
  const isEmbedded = apiUrl === undefined && embedsChains(config)
  if (isEmbedded) {
    const port = config.localChain.port + DEMO_SERVER_OFFSET
    return ok(
      NAME,
      `embedded stand-in${isServed ? ` on port ${port}` : ', not running: it starts with the service'}`,
    )
  }
  const { host } = new URL(apiUrl ?? REAL_API_URL)
  const network = createSocialNetwork({
    apiUrl: apiUrl ?? REAL_API_URL,
    observer: { onAnswer() {}, onNotAsked() {} },
  })
  try {
    await network.fetchUsername('slipway-doctor')
    return ok(NAME, `${host} answers`)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.code === 'SOCIAL_REJECTED') return ok(NAME, `${host} answers`)
    const reason = (error.cause as Error).message.replace(/^social network: /, '')
    const kind = reason.includes('in time')
      ? 'slow'
      : reason.includes('connection')
        ? 'unreachable'
        : 'refused'
    const remedy = 'Check the network and SOCIAL_API_URL. Only verifying social accounts needs it.'
    return warn(NAME, kind, `${host}: ${reason}`, remedy)
  } finally {
    await network.close()
  }
}
