import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq, sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Database } from './database.ts'
import { tradeProgress, tradeReading } from './trade-progress-table.ts'

export type HistoryProgress = Omit<typeof tradeProgress.$inferSelect, 'network' | 'genesisAddress'>

/** How far the history of each address of a launch has been read. */
export async function findTradeProgress(
  database: Database,
  network: Network,
  genesisAddress: Address,
): Promise<HistoryProgress[]> {
  return database.run('trade-progress.find', db =>
    db
      .select()
      .from(tradeProgress)
      .where(and(eq(tradeProgress.network, network), eq(tradeProgress.genesisAddress, genesisAddress))),
  )
}

export async function saveTradeProgress(
  db: NodePgDatabase,
  network: Network,
  genesisAddress: Address,
  { address, ...progress }: HistoryProgress,
): Promise<void> {
  await db
    .insert(tradeProgress)
    .values({ network, genesisAddress, address, ...progress })
    .onConflictDoUpdate({
      target: [tradeProgress.network, tradeProgress.genesisAddress, tradeProgress.address],
      set: progress,
    })
}

/** Records that a node is reading trades now. */
export async function saveTradeReading(database: Database, network: Network): Promise<void> {
  const set = { at: sql`now()` }
  await database.run('trade-reading.save', db =>
    db
      .insert(tradeReading)
      .values({ network, ...set })
      .onConflictDoUpdate({ target: tradeReading.network, set }),
  )
}

/** A node says every few seconds that it reads trades. */
const SILENCE_MAX = sql`interval '1 minute'`

const REASONS = {
  notRead: 'Trades are not being read at the moment.',
  notBegun: 'The transactions of this launch have not been read yet.',
  lacksHistory: 'The RPC endpoints do not return all transactions of this launch.',
  behind: 'Some transactions of this launch have not been read yet.',
} as const

/** Whether all trades of a launch are stored, and if not, why. */
export async function readTradesProgress(
  database: Database,
  network: Network,
  genesisAddress: Address,
): Promise<{ complete: boolean; reason: string | null }> {
  const rows = await findTradeProgress(database, network, genesisAddress)
  const [reading] = await database.run('trade-reading.find', db =>
    db
      .select({ isRecent: sql<boolean>`${tradeReading.at} > now() - ${SILENCE_MAX}` })
      .from(tradeReading)
      .where(eq(tradeReading.network, network)),
  )
  const reason = reading?.isRecent ? reasonFor(rows) : REASONS.notRead
  return { complete: reason === null, reason }
}

function reasonFor(rows: readonly HistoryProgress[]): string | null {
  if (rows.length === 0) return REASONS.notBegun
  if (rows.some(({ lacksHistory }) => lacksHistory)) return REASONS.lacksHistory
  return rows.every(isComplete) ? null : REASONS.behind
}

/** Whether everything back to the creation of the address has been read. */
export const isComplete = ({ gaps, hasOrigin }: Pick<HistoryProgress, 'gaps' | 'hasOrigin'>): boolean =>
  gaps.length === 0 && hasOrigin
