import { setTimeout as sleep } from 'node:timers/promises'
import { type ErrorCode, ServiceError } from '@slipway/schema/errors'
import type { RegisterLaunchBody } from '@slipway/schema/registration'
import type { CheckedReader } from '../chain/account-reader.ts'
import type { LaunchTimes } from '../chain/accounts/launch-times.ts'
import type { TokenName } from '../chain/accounts/token-metadata.ts'
import { fetchAgentFacts } from '../chain/agent-facts.ts'
import { fetchLaunchFacts, type LaunchFacts } from '../chain/launch-facts.ts'
import { isTiedToAgent } from './agent-tie.ts'

/** Facts of a launch that can be shown. */
export type ListableFacts = LaunchFacts & { token: TokenName; times: LaunchTimes }

export interface SeenLaunch {
  slot: number
  facts: ListableFacts
}

/** Three slots: as far as nodes that work are behind each other. */
const LOOK_AGAIN_MS = [400, 800]

/**
 * The launch as the chain has it; throws when that is not what the body says. Makers register right after their last
 * transaction, which another node confirmed: what is missing is looked for again before it is said to be missing.
 */
export async function seeOnChain(chain: CheckedReader, body: RegisterLaunchBody): Promise<SeenLaunch> {
  for (const waitMs of LOOK_AGAIN_MS) {
    const seen = await look(chain, body)
    if ('facts' in seen) return seen
    if (seen.isFinal) throw new ServiceError(seen.code)
    await sleep(waitMs)
  }
  const seen = await look(chain, body)
  if ('facts' in seen) return seen
  throw new ServiceError(seen.code)
}

interface Refusal {
  code: ErrorCode
  /** Another look would show the same. */
  isFinal?: true
}

async function look(
  chain: CheckedReader,
  { genesisAccount, launch, agent }: RegisterLaunchBody,
): Promise<SeenLaunch | Refusal> {
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
  if (agent && !isTiedToAgent(facts, agent.mint, agentFacts?.facts)) return { code: 'LAUNCH_MISMATCH' }
  return { slot, facts: { ...facts, token, times } }
}
