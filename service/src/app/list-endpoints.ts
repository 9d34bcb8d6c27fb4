import type { Network } from '@slipway/schema/network'
import type { AgentBook } from '../agents/agent-cache.ts'
import { getAgentEndpoint } from '../agents/get-agent.route.ts'
import { getAgentCardEndpoint } from '../agents/get-agent-card.route.ts'
import { withdrawFromAgentEndpoint } from '../agents/withdraw-from-agent.route.ts'
import type { WithdrawParts } from '../agents/withdraw-from-agent.ts'
import { claimCreatorRewardsEndpoint } from '../creator-rewards/claim-creator-rewards.route.ts'
import type { NetworkRewards } from '../creator-rewards/creator-rewards.ts'
import { getCreatorRewardsEndpoint } from '../creator-rewards/get-creator-rewards.route.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { getLaunchEndpoint } from '../launches/get-launch.route.ts'
import { getTokenEndpoint } from '../launches/get-token.route.ts'
import type { LaunchSnapshots } from '../launches/launch-snapshots.ts'
import { listLaunchesEndpoint } from '../launches/list-launches.route.ts'
import { type Register, registerLaunchEndpoint } from '../launches/register-launch.route.ts'
import type { Social } from '../social/social.ts'
import { verifySocialEndpoint } from '../social/verify-social.route.ts'

export interface EndpointParts {
  snapshots: LaunchSnapshots
  agents: AgentBook
  social: Social
  register: Register
  /** The pattern of a launch's page. */
  launchPage: string
  /** Undefined for a network that this deployment does not serve. */
  chainOf(network: Network): WithdrawParts | undefined
  rewardsOf(network: Network): NetworkRewards | undefined
}

/** Every endpoint of the interface. */
export function listEndpoints({
  snapshots,
  agents,
  social,
  register,
  launchPage,
  chainOf,
  rewardsOf,
}: EndpointParts): Endpoint[] {
  return [
    getAgentEndpoint(agents),
    getAgentCardEndpoint(agents),
    withdrawFromAgentEndpoint(chainOf),
    verifySocialEndpoint(social),
    listLaunchesEndpoint(snapshots),
    registerLaunchEndpoint(register, launchPage),
    getLaunchEndpoint(snapshots),
    getTokenEndpoint(snapshots),
    claimCreatorRewardsEndpoint(rewardsOf),
    getCreatorRewardsEndpoint(rewardsOf),
  ]
}
