import type { Agent, CreateLaunchRequest } from '@slipway/client'
import type { Draft } from './draft.ts'

/**
 * What the API is asked for. The address is the one that was chosen, whatever the service says about it later. An agent that
 * has a token keeps it.
 */
export const requestAgent = (
  { agent, agentToken }: Draft,
  { agentToken: token }: Pick<Agent, 'agentToken'>,
): NonNullable<CreateLaunchRequest['agent']> => ({ mint: agent, setToken: agentToken === 'yes' && !token })
