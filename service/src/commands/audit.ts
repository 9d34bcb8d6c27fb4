import { type AuditEntry, readAudit } from '../store/audit.ts'
import type { CommandContext } from './command-context.ts'
import { withStore } from './open-store.ts'

/** Prints every change that was made on the command line, the oldest first. */
export async function audit(context: CommandContext): Promise<void> {
  const { output } = context
  await withStore(context, 'read', async ({ database }) => {
    const entries: Omit<AuditEntry, 'id'>[] = []
    for await (const batch of readAudit(database)) entries.push(...batch.map(({ id: _, ...entry }) => entry))
    output.json({ entries })
    if (entries.length === 0) return output.line('No changes have been made on the command line.')
    output.table(
      ['TIME', 'OPERATOR', 'COMMAND', 'NETWORK', 'SUBJECT'],
      entries.map(({ at, operator, command, network, subject }) => [
        at.toISOString(),
        operator,
        command,
        network,
        subject,
      ]),
    )
  })
}
