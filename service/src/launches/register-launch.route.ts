import { RegisteredLaunch, RegisterLaunchBody } from '@slipway/schema/registration'
import { defineEndpoint, type Endpoint, type ShowChange } from '../endpoint/endpoint.ts'
import { EXAMPLE_REGISTERED } from './examples.ts'
import type { LaunchSnapshots } from './launch-snapshots.ts'
import { launchPageUrl } from './listing/listed-launch.ts'
import type { Registration } from './registration/register-launch.ts'

export function registerLaunchEndpoint({
  register,
  snapshots,
  showChange,
  launchPage,
}: {
  register: Registration['register']
  snapshots: Pick<LaunchSnapshots, 'show'>
  showChange: ShowChange
  launchPage: string
}): Endpoint {
  return defineEndpoint({
    method: 'POST',
    path: '/v1/launches/register',
    id: 'registerLaunch',
    clientCall: 'launches.register',
    tool: {
      name: 'register_launch',
      description:
        'Adds a launch that is finalized on the chain to the public listings at once, without a transaction. Anyone can do this, and the first registration wins. Name and symbol must equal those of the token.',
    },
    tag: 'Launches',
    summary: 'Register a launch',
    description: `Adds a launch that is finalized on the chain to the listings. Anyone can register a launch, and the first registration wins.

- A later call returns \`existing: true\` with the same ids and changes nothing. The example describes such a launch, so you can send it as often as you like.
- Everything is checked against the chain: name and symbol must equal those of the token, and an agent must be linked to the launch there. Times, mechanic and status come from the chain alone.
- \`socialVerificationToken\` proves the registered social handle, even in a later call. A token counts only for the first launch that it is used for.
- Links are http(s) URLs or handles.`,
    body: RegisterLaunchBody,
    faults: {},
    success: {
      description:
        'The launch is registered, now or earlier. This node shows it from now on, and all other nodes show it within a second.',
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
    async answer({ body, deadline }) {
      const { existing, launchId, tokenId, mint } = await register(body, deadline)
      const { network, genesisAccount } = body
      // This applies to an existing launch too: another node may have registered it just now.
      await showChange(deadline, () => snapshots.show(network, [genesisAccount]))
      const link = launchPageUrl(launchPage, network, genesisAccount)
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
