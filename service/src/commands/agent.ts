import { findAgentSpotlight, setAgentHidden, setAgentSpotlight } from '../store/curated-agents.ts'
import { changeEach } from './change-each.ts'
import type { CommandContext } from './command-context.ts'
import { withStore } from './open-store.ts'

/** Hides agents from every response, or shows them again. No HTTP request can do this. */
export const hideAgents = (context: CommandContext, isHidden: boolean): Promise<void> =>
  changeEach(context, {
    ...AGENTS,
    command: `agent ${isHidden ? 'hide' : 'unhide'}`,
    change: (tx, network, address) => setAgentHidden(tx, network, address, isHidden),
    done: `on ${context.network} is ${isHidden ? 'hidden' : 'not hidden'}`,
  })

/** Adds agents to the spotlight, or removes them. */
export const spotlightAgents = (context: CommandContext, isAdded: boolean): Promise<void> =>
  changeEach(context, {
    ...AGENTS,
    command: `agent spotlight ${isAdded ? 'add' : 'remove'}`,
    change: (tx, network, address) => setAgentSpotlight(tx, network, address, isAdded),
    done: `is ${isAdded ? 'in' : 'not in'} the spotlight of ${context.network}`,
  })

const AGENTS = { operand: 'agent address', missing: 'agent is stored' }

export async function listSpotlightAgents(context: CommandContext): Promise<void> {
  const { output, onlyNetwork } = context
  await withStore(context, 'read', async ({ database }) => {
    const agents = (await findAgentSpotlight(database)).filter(
      ({ network }) => onlyNetwork === undefined || network === onlyNetwork,
    )
    output.json({ agents: agents.map(({ network, address, name }) => ({ network, address, name })) })
    if (agents.length === 0) return output.line('The spotlight is empty.')
    output.table(
      ['NETWORK', 'ADDRESS', 'NAME'],
      agents.map(({ network, address, name }) => [network, address, name]),
    )
  })
}
