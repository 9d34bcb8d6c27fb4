import { findAgent, setVerified } from '../store/agents.ts'
import { findAgentSpotlight, setAgentHidden, setAgentSpotlight } from '../store/curated-agents.ts'
import { auditedChange } from './audited-change.ts'
import { changeEach } from './change-each.ts'
import { type CommandContext, parseAddress } from './command-context.ts'
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

/** Sets or clears `verifiedAt` of an agent. No HTTP request can do this. */
export async function verifyAgent(context: CommandContext): Promise<void> {
  const { network, output, operands, flags } = context
  const address = parseAddress(operands[0], 'agent address')
  await withStore(context, 'change', async ({ database }) => {
    const isVerified = !flags.has('clear')
    const command = isVerified ? 'verify-agent' : 'verify-agent --clear'
    await auditedChange(database, { command, network, subject: address }, tx =>
      setVerified(tx, network, address, isVerified),
    )
    const { verifiedAt, row } = await findAgent(database, network, address)
    output.json({ address, verifiedAt: verifiedAt ?? null, stored: row !== undefined })
    output.line(
      verifiedAt
        ? `${address} on ${network} has been verified since ${verifiedAt.toISOString()}`
        : `${address} on ${network} is not verified`,
    )
    if (verifiedAt && !row)
      output.line('The agent is not in the store yet; the first request for it will add it.')
  })
}
