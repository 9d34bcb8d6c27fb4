import type { Agent, CreateLaunchRequest } from '@slipway/client'
import type { Draft } from './draft.ts'

/** What the API is asked for. An agent that has a token keeps it. */
export const requestAgent = (
  { agentToken }: Draft,
  { address, agentToken: token }: Pick<Agent, 'address' | 'agentToken'>,
): NonNullable<CreateLaunchRequest['agent']> => ({
  mint: address,
  setToken: agentToken === 'yes' && !token,
})
