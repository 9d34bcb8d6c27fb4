import { type Agent, type Network, SlipwayError } from '@slipway/client'
import { useQuery } from '@tanstack/react-query'
import { agentTitle } from '../../lib/agents.ts'
import { networkName } from '../../lib/format.ts'
import { cut } from '../../lib/parse-json.ts'
import { agentQuery } from '../../lib/queries.ts'
import { useSite } from '../../lib/site-context.ts'
import { useWallet } from '../../wallet/wallet-store.ts'
import type { Draft } from './draft.ts'

const NAME_LENGTH_MAX = 120

/** Who launches the token, as far as the page knows. Without an agent, it is the wallet. */
export interface Launcher {
  agent: Agent | undefined
  /** Why the chosen agent can't launch. */
  fault: string | undefined
  /** Whether the chosen agent is still being looked up. */
  isPending: boolean
}

/**
 * The agent that was chosen. If another wallet is connected later, the choice stays and is a fault: a launch by the
 * wallet instead of the agent could not be corrected.
 */
export function useLauncher({ agent: address }: Draft, network: Network): Launcher {
  const { slipway } = useSite()
  const { account } = useWallet()
  const { data, error } = useQuery({ ...agentQuery(slipway, network, address), enabled: address !== '' })
  if (address === '') return { agent: undefined, fault: undefined, isPending: false }
  if (!data)
    return { agent: undefined, fault: error ? explain(error, network) : undefined, isPending: !error }
  const agent = { ...data, name: cut(data.name, NAME_LENGTH_MAX) }
  const isOthers = account !== undefined && agent.owner !== account.address
  const fault = isOthers ? `The connected wallet doesn’t own ${agentTitle(agent)}. Choose again.` : undefined
  return { agent, fault, isPending: false }
}

function explain(error: Error, network: Network): string {
  if (error instanceof SlipwayError && error.status === 404)
    return `The agent that you chose isn’t registered on ${networkName(network)}. Choose again.`
  return 'The agent that you chose can’t be looked up now. Choose again, or try later.'
}
