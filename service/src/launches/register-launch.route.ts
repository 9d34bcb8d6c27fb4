import {
  RegisteredLaunch,
  RegisterLaunchBody,
  type RegisterLaunchBody as Registration,
} from '@slipway/schema/registration'
import { defineEndpoint, type Endpoint } from '../endpoint/endpoint.ts'
import { EXAMPLE_REGISTERED } from './examples.ts'
import { launchPageUrl } from './launch-page.ts'
import type { registerLaunch } from './register-launch.ts'

export type Register = (body: Registration) => ReturnType<typeof registerLaunch>

export function registerLaunchEndpoint({
  register,
  launchPage,
}: {
  register: Register
  launchPage: string
}): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/launches/register',
    id: 'registerLaunch',
    tag: 'Launches',
    summary: 'Register a launch',
    description:
      'Puts a launch that stands finalized on the chain into the listings. The chain is the judge: name and symbol must be those of its token, an agent must be tied to it there, and times, mechanic and status come from there alone. The first registration stands; a later call answers `existing: true` with the same ids and changes nothing, except that a verification token can prove the handle that was given first. A token counts for the first launch that it is used for. Links are http(s) URLs or handles.',
    body: RegisterLaunchBody,
    faults: {},
    success: {
      description: 'It is registered, now or before.',
      schema: RegisteredLaunch,
      example: EXAMPLE_REGISTERED,
    },
    errors: [
      'INVALID_INPUT',
      'GENESIS_NOT_FOUND',
      'LAUNCH_NOT_FINALIZED',
      'LAUNCH_MISMATCH',
      'INVALID_SOCIAL_TOKEN',
    ],
    async answer({ body }) {
      const { existing, launchId, tokenId, mint } = await register(body)
      const link = launchPageUrl(launchPage, body.network, body.genesisAccount)
      const value: RegisteredLaunch = {
        success: true,
        existing,
        launch: { id: launchId, link },
        token: { id: tokenId, mintAddress: mint },
      }
      return { kind: 'json', value }
    },
  })
}
