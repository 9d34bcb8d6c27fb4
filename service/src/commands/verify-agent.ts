import { findAgent, setVerified } from '../store/agents.ts'
import { auditedChange } from './audited-change.ts'
import { type CommandContext, parseAddress } from './command-context.ts'
import { withStore } from './open-store.ts'

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
