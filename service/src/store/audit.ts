import type { Network } from '@slipway/schema/network'
import { asc, gt } from 'drizzle-orm'
import { auditLog } from './audit-table.ts'
import { type Database, withinTransaction } from './database.ts'

export type AuditEntry = typeof auditLog.$inferSelect

interface Change {
  operator: string
  command: string
  network: Network
  /** What is changed: usually an address. */
  subject: string
}

/**
 * Makes a change and records it in one transaction. `work` must use the database that it is given. Nothing is
 * recorded if `isChange` returns false for the result.
 */
export function audited<T>(
  database: Database,
  change: Change,
  work: (database: Database) => Promise<T>,
  isChange: (result: T) => boolean = () => true,
): Promise<T> {
  return database.transact('audit.change', async db => {
    const result = await work(withinTransaction(db))
    if (isChange(result)) await db.insert(auditLog).values(change)
    return result
  })
}

const BATCH = 1_000

/** Reads all entries in batches, the oldest first. */
export async function* readAudit(database: Database): AsyncGenerator<AuditEntry[]> {
  let after = 0
  for (;;) {
    const entries = await database.run('audit.read', db =>
      db.select().from(auditLog).where(gt(auditLog.id, after)).orderBy(asc(auditLog.id)).limit(BATCH),
    )
    if (entries.length > 0) yield entries
    if (entries.length < BATCH) return
    after = entries.at(-1)?.id ?? after
  }
}
