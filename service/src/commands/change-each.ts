import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { OperatorError } from '../operator-error.ts'
import type { CurationOutcome } from '../store/curated-agents.ts'
import type { Database } from '../store/database.ts'
import { auditedChange } from './audited-change.ts'
import { type CommandContext, parseAddress } from './command-context.ts'
import { withStore } from './open-store.ts'

interface Change {
  /** For the audit log. */
  command: string
  /** What the operands are, for example "agent address". */
  operand: string
  change(tx: Database, network: Network, address: Address): Promise<CurationOutcome>
  /** Completes the sentence "<address> …". */
  done: string
  /** Completes the sentence "No …". */
  missing: string
}

/** Makes a change at each address that the command names, and then reports the addresses where there is nothing. */
export async function changeEach(
  context: CommandContext,
  { command, operand, change, done, missing }: Change,
): Promise<void> {
  const { network, output } = context
  const given = context.operands.map(text => parseAddress(text, operand))
  await withStore(context, 'change', async ({ database }) => {
    const addresses: Address[] = []
    const unchanged: Address[] = []
    const unknown: Address[] = []
    for (const address of given) {
      const outcome = await auditedChange(
        database,
        { command, network, subject: address },
        tx => change(tx, network, address),
        result => result === 'changed',
      )
      if (outcome === 'unchanged') unchanged.push(address)
      ;(outcome === 'missing' ? unknown : addresses).push(address)
      if (outcome !== 'missing')
        output.line(`${address} ${done}${outcome === 'unchanged' ? ' (unchanged)' : ''}`)
    }
    output.json({ addresses, unchanged, unknown })
    if (unknown.length > 0) throw new OperatorError(`No ${missing} on ${network} at ${unknown.join(', ')}.`)
  })
}
