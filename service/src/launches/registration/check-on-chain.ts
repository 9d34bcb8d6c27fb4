import { assetSignerAddress } from '@slipway/launch-model/addresses'
import type { GenesisAccount } from '@slipway/launch-model/genesis-account'
import type { LaunchTimes } from '@slipway/launch-model/launch-times'
import type { Address } from '@slipway/schema/address'
import { type ErrorCode, ServiceError } from '@slipway/schema/errors'
import type { RegisterLaunchBody } from '@slipway/schema/registration'
import type { CheckedReader } from '../../chain/account-reader.ts'
import type { TokenName } from '../../chain/accounts/mint.ts'
import { type AgentFacts, fetchAgentFacts } from '../../chain/agent-facts.ts'
import { fetchLaunchFacts, type LaunchFacts } from '../../chain/launch-facts.ts'
import type { Deadline } from '../../lib/deadline.ts'
import { pause } from '../../lib/pause.ts'

/** A launch on the chain that has everything a listing shows. */
export interface ListableLaunch {
  slot: number
  facts: LaunchFacts & { token: TokenName; times: LaunchTimes }
}

interface Refusal {
  code: ErrorCode
  /** Another read would give the same result. */
  isFinal?: true
}

/** Together longer than a transaction takes from one working RPC node to another, at any slot time. */
const RETRY_DELAYS_MS = [400, 800]

/**
 * The launch as the chain has it; throws if the body says otherwise. Callers register right after their last
 * transaction, which another node may have confirmed, so a missing launch is read again before it is refused.
 * `namedAgent` is the agent that the launch's authority has named in a signed change.
 */
export async function checkOnChain(
  chain: CheckedReader,
  body: RegisterLaunchBody,
  { namedAgent, deadline }: { namedAgent: Address | undefined; deadline: Deadline },
): Promise<ListableLaunch> {
  for (let attempt = 0; ; attempt += 1) {
    const startMs = performance.now()
    const result = await readAndCompare(chain, body, namedAgent)
    if ('facts' in result) return result
    const readMs = performance.now() - startMs
    const delayMs = RETRY_DELAYS_MS[attempt] ?? Number.POSITIVE_INFINITY
    const isTimeLeft = delayMs + 2 * readMs < deadline.remainingMs()
    if (result.isFinal || !isTimeLeft) throw new ServiceError(result.code)
    await pause(delayMs)
  }
}

async function readAndCompare(
  chain: CheckedReader,
  { genesisAccount, launch, agent }: RegisterLaunchBody,
  namedAgent: Address | undefined,
): Promise<ListableLaunch | Refusal> {
  const sinceMs = performance.now()
  const [{ slot, facts }, agentFacts] = await Promise.all([
    fetchLaunchFacts(chain, genesisAccount),
    agent && fetchAgentFacts(chain, agent.mint),
  ])
  await chain.confirmCluster(sinceMs)
  if (!facts) return { code: 'GENESIS_NOT_FOUND' }
  if (!facts.genesis.finalized) return { code: 'LAUNCH_NOT_FINALIZED' }
  const { token, times } = facts
  if (!token || !times || token.name !== launch.name || token.symbol !== launch.symbol)
    return { code: 'LAUNCH_MISMATCH', isFinal: true }
  if (agent) {
    const agrees = agentFacts?.facts && findConsent(facts.genesis, agent.mint, agentFacts.facts)
    if (!agrees || (agrees === 'agent' && namedAgent !== agent.mint)) return { code: 'LAUNCH_MISMATCH' }
  }
  return { slot, facts: { ...facts, token, times } }
}

/**
 * Who says that a launch and an agent belong together. `both`: the agent's wallet is the launch's authority, so it signed
 * the creation. `agent`: the agent's identity names the token, which anyone can do with an agent of their own, so it
 * counts only if the launch's authority has named the agent too. Owning the agent is no consent, because anyone can give
 * an agent to a stranger, and receiving the fees is none, because anyone can name any wallet for them.
 */
export function findConsent(
  { authority, baseMint }: Pick<GenesisAccount, 'authority' | 'baseMint'>,
  agent: Address,
  { agentToken }: Pick<AgentFacts, 'agentToken'>,
): 'both' | 'agent' | undefined {
  if (authority === assetSignerAddress(agent)) return 'both'
  return agentToken === baseMint ? 'agent' : undefined
}
