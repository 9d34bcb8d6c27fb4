import type { Agent, CreateLaunchRequest } from '@slipway/client'
import type { Draft } from './draft.ts'

/**
 * The agent in the request to the API. The address is the chosen one, whatever the service says later. An agent that
 * has a token keeps it.
 */
export const requestAgent = (
  { agent, agentToken }: Draft,
  { agentToken: token }: Pick<Agent, 'agentToken'>,
): NonNullable<CreateLaunchRequest['agent']> => ({ mint: agent, setToken: agentToken === 'yes' && !token })
