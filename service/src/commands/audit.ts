import { userInfo } from 'node:os'
import type { Network } from '@slipway/schema/network'
import { type AuditEntry, audited, readAudit } from '../store/audit.ts'
import type { Database } from '../store/database.ts'
import type { CommandContext } from './command-context.ts'
import { withStore } from './open-store.ts'

/** Recorded for one network, although they change both. */
const ON_BOTH_NETWORKS = ['document remove']

/** Prints every change that was made on the command line, the oldest first. */
export async function audit(context: CommandContext): Promise<void> {
  const { output, onlyNetwork } = context
  await withStore(context, 'read', async ({ database }) => {
    const entries: Entry[] = []
    for await (const batch of readAudit(database))
      entries.push(
        ...batch.map(describe).filter(({ network }) => [onlyNetwork ?? network, 'both'].includes(network)),
      )
    output.json({ entries })
    if (entries.length === 0)
      return output.line(
        `No changes have been made on the command line${onlyNetwork ? ` on ${onlyNetwork}` : ''}.`,
      )
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

type Entry = Omit<AuditEntry, 'id' | 'network'> & { network: Network | 'both' }

const describe = ({ id: _, network, ...entry }: AuditEntry): Entry => ({
  ...entry,
  network: ON_BOTH_NETWORKS.includes(entry.command) ? 'both' : network,
})

/** Makes a change and records who made it, both or neither. A change that returns false changed nothing. */
export function auditedChange<T>(
  database: Database,
  change: { command: string; network: Network; subject: string },
  work: (database: Database) => Promise<T>,
  isChange: (result: T) => boolean = result => result !== false,
): Promise<T> {
  return audited(database, { operator: operatorName(), ...change }, work, isChange)
}

/** In a container, the user may have no name. */
function operatorName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
