import { assetSignerAddress } from '@slipway/launch-model/addresses'
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

/** Three slots in all: working nodes are no further apart. */
const RETRY_DELAYS_MS = [400, 800]

/**
 * The launch as the chain has it; throws if the body says otherwise. Callers register right after their last
 * transaction, which another node may have confirmed, so a missing launch is read again before it is refused.
 */
export async function checkOnChain(
  chain: CheckedReader,
  body: RegisterLaunchBody,
  deadline: Deadline,
): Promise<ListableLaunch> {
  for (let attempt = 0; ; attempt += 1) {
    const startMs = performance.now()
    const result = await readAndCompare(chain, body)
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
  if (agent && !isLaunchOfAgent(facts, agent.mint, agentFacts?.facts)) return { code: 'LAUNCH_MISMATCH' }
  return { slot, facts: { ...facts, token, times } }
}

/**
 * Whether the agent itself is tied to the launch: its wallet created the launch, or its identity names the token.
 * Receiving the fees is not enough, because anyone can name any wallet for them.
 */
function isLaunchOfAgent({ genesis }: LaunchFacts, agent: Address, facts: AgentFacts | undefined): boolean {
  if (!facts) return false
  return genesis.authority === assetSignerAddress(agent) || facts.agentToken === genesis.baseMint
}
