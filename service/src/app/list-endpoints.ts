import type { Network } from '@slipway/schema/network'
import type { AgentCache } from '../agents/agent-cache.ts'
import type { AgentList } from '../agents/agent-list.ts'
import {
  delegateAgentEndpoint,
  registerExecutiveEndpoint,
  revokeDelegateEndpoint,
} from '../agents/delegates/change-delegates.route.ts'
import { getAgentDelegatesEndpoint } from '../agents/delegates/get-agent-delegates.route.ts'
import { fundAgentEndpoint } from '../agents/fund-agent.route.ts'
import { getAgentEndpoint } from '../agents/get-agent.route.ts'
import {
  getAgentCardEndpoint,
  getNetworkAgentCardEndpoint,
  getNetworkWellKnownAgentCardEndpoint,
  getWellKnownAgentCardEndpoint,
} from '../agents/get-agent-card.route.ts'
import { getAgentWalletEndpoint } from '../agents/get-agent-wallet.route.ts'
import { getJwksEndpoint } from '../agents/get-jwks.route.ts'
import { listAgentsEndpoint } from '../agents/list-agents.route.ts'
import { mintAgentEndpoint } from '../agents/mint-agent.route.ts'
import { exploreRegistryEndpoint } from '../agents/registry/explore-registry.route.ts'
import { getRegistryEntryEndpoint } from '../agents/registry/get-registry-entry.route.ts'
import { listRegistryEndpoint } from '../agents/registry/list-registry.route.ts'
import { searchRegistryEndpoint } from '../agents/registry/search-registry.route.ts'
import { removeAgentCardEndpoint, replaceAgentCardEndpoint } from '../agents/replace-agent-card.route.ts'
import { withdrawFromAgentEndpoint } from '../agents/withdraw-from-agent.route.ts'
import type { Config } from '../config.ts'
import { claimCreatorRewardsEndpoint } from '../creator-rewards/claim-creator-rewards.route.ts'
import type { NetworkRewards } from '../creator-rewards/creator-rewards.ts'
import { getCreatorRewardsEndpoint } from '../creator-rewards/get-creator-rewards.route.ts'
import { getDocumentEndpoint } from '../documents/get-document.route.ts'
import type { Endpoint, ShowChange } from '../endpoint/endpoint.ts'
import type { EventFeed } from '../events/event-feed.ts'
import { followEventsEndpoint } from '../events/follow-events.route.ts'
import { changeLaunchLinksEndpoint } from '../launches/change-launch-links.route.ts'
import { claimFromLaunchEndpoint } from '../launches/claim.route.ts'
import { createLaunchEndpoint } from '../launches/create-launch.route.ts'
import { depositEndpoint } from '../launches/deposit.route.ts'
import type { ReadPosition } from '../launches/deposits/read-position.ts'
import { getLaunchEndpoint } from '../launches/get-launch.route.ts'
import { getLaunchActivityEndpoint } from '../launches/get-launch-activity.route.ts'
import { getLaunchCandlesEndpoint } from '../launches/get-launch-candles.route.ts'
import { getLaunchHoldersEndpoint } from '../launches/get-launch-holders.route.ts'
import { getLaunchTradesEndpoint } from '../launches/get-launch-trades.route.ts'
import { getPositionEndpoint } from '../launches/get-position.route.ts'
import { getQuoteEndpoint } from '../launches/get-quote.route.ts'
import { getTokenEndpoint } from '../launches/get-token.route.ts'
import { getWalletTradesEndpoint } from '../launches/get-wallet-trades.route.ts'
import { graduateLaunchEndpoint } from '../launches/graduate.route.ts'
import type { LaunchList } from '../launches/launch-list.ts'
import type { LaunchSnapshots } from '../launches/launch-snapshots.ts'
import { listLaunchesEndpoint } from '../launches/list-launches.route.ts'
import { registerLaunchEndpoint } from '../launches/register-launch.route.ts'
import type { Registration } from '../launches/registration/register-launch.ts'
import { swapEndpoint } from '../launches/swap.route.ts'
import type { Markets } from '../launches/trading/markets.ts'
import { withdrawFromLaunchEndpoint } from '../launches/withdraw.route.ts'
import type { Social } from '../social/social.ts'
import { verifySocialEndpoint, verifyTwitterEndpoint } from '../social/verify-social.route.ts'
import type { Database } from '../store/database.ts'
import type { HostDocument } from '../store/pending-documents.ts'
import { getWalletEndpoint } from '../wallets/get-wallet.route.ts'
import type { Chains } from './open-chains.ts'

/** What every endpoint's factory receives. A factory declares the parts it uses as its parameter. */
interface EndpointParts
  extends Pick<Config, 'publicUrl' | 'publicUrlsPrevious' | 'hostsDocuments' | 'freshKeys' | 'cardSigning'> {
  /** For queries of the store. Answers that are needed often belong in memory, like launches and agents. */
  database: Database
  /** The networks that this deployment serves; the same holds for `rewards` and `markets`. */
  chains: Chains
  snapshots: LaunchSnapshots
  launchList: LaunchList
  agents: AgentCache
  agentList: AgentList
  events: EventFeed
  rewards: Partial<Record<Network, NetworkRewards>>
  markets: Partial<Record<Network, Markets>>
  readPosition: ReadPosition
  social: Social
  register: Registration['register']
  hostDocument: HostDocument
  showChange: ShowChange
  /** The URL pattern of a launch's page. */
  launchPage: string
}

/** Every endpoint of the API, in the order of the reference. To add one, add its factory here. */
const FACTORIES: ((parts: EndpointParts) => Endpoint)[] = [
  listAgentsEndpoint,
  getAgentEndpoint,
  getAgentWalletEndpoint,
  mintAgentEndpoint,
  fundAgentEndpoint,
  withdrawFromAgentEndpoint,
  getAgentDelegatesEndpoint,
  delegateAgentEndpoint,
  revokeDelegateEndpoint,
  registerExecutiveEndpoint,
  getAgentCardEndpoint,
  replaceAgentCardEndpoint,
  removeAgentCardEndpoint,
  getWellKnownAgentCardEndpoint,
  getNetworkAgentCardEndpoint,
  getNetworkWellKnownAgentCardEndpoint,
  getJwksEndpoint,
  getDocumentEndpoint,
  verifySocialEndpoint,
  verifyTwitterEndpoint,
  listLaunchesEndpoint,
  getLaunchEndpoint,
  getLaunchActivityEndpoint,
  getLaunchTradesEndpoint,
  getLaunchCandlesEndpoint,
  getLaunchHoldersEndpoint,
  getQuoteEndpoint,
  swapEndpoint,
  depositEndpoint,
  withdrawFromLaunchEndpoint,
  claimFromLaunchEndpoint,
  graduateLaunchEndpoint,
  getPositionEndpoint,
  createLaunchEndpoint,
  registerLaunchEndpoint,
  changeLaunchLinksEndpoint,
  getTokenEndpoint,
  getWalletEndpoint,
  getWalletTradesEndpoint,
  getCreatorRewardsEndpoint,
  claimCreatorRewardsEndpoint,
  searchRegistryEndpoint,
  listRegistryEndpoint,
  getRegistryEntryEndpoint,
  exploreRegistryEndpoint,
  followEventsEndpoint,
]

export function listEndpoints(parts: EndpointParts): Endpoint[] {
  return FACTORIES.map(create => create(parts))
}
