import { userInfo } from 'node:os'
import type { Network } from '@slipway/schema/network'
import { audited } from '../store/audit.ts'
import type { Database } from '../store/database.ts'

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
