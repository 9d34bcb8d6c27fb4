import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { OperatorError } from '../operator-error.ts'
import type { Database } from '../store/database.ts'
import { auditedChange } from './audited-change.ts'
import { type CommandContext, parseAddress } from './command-context.ts'
import { withStore } from './open-store.ts'

interface Change {
  /** For the audit log. */
  command: string
  /** What the operands are, for example "agent address". */
  operand: string
  /** Returns false if there is nothing at the address. */
  change(tx: Database, network: Network, address: Address): Promise<boolean>
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
    const unknown: Address[] = []
    for (const address of given) {
      const isChanged = await auditedChange(database, { command, network, subject: address }, tx =>
        change(tx, network, address),
      )
      ;(isChanged ? addresses : unknown).push(address)
      if (isChanged) output.line(`${address} ${done}`)
    }
    output.json({ addresses, unknown })
    if (unknown.length > 0) throw new OperatorError(`No ${missing} on ${network} at ${unknown.join(', ')}.`)
  })
}
