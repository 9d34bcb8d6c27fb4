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
  const reason = (await areTradesRead(database, network)) ? reasonFor(rows) : REASONS.notRead
  return { complete: reason === null, reason }
}

/** Whether a node is reading trades at the moment. */
export async function areTradesRead(database: Database, network: Network): Promise<boolean> {
  const [reading] = await database.run('trade-reading.find', db =>
    db
      .select({ isRecent: sql<boolean>`${tradeReading.at} > now() - ${SILENCE_MAX}` })
      .from(tradeReading)
      .where(eq(tradeReading.network, network)),
  )
  return reading?.isRecent === true
}

/** How many launches have been read from, and of how many of them trades may be missing. */
export async function countTradeProgress(
  database: Database,
  network: Network,
): Promise<{ launches: number; behind: number }> {
  const { rows } = await database.run('trade-progress.count', db =>
    db.execute<{ launches: number; behind: number }>(sql`
      SELECT count(DISTINCT genesis_address)::int AS launches,
        (count(DISTINCT genesis_address) FILTER (WHERE gaps <> '[]' OR NOT has_origin OR lacks_history))::int AS behind
      FROM trade_progress WHERE network = ${network}`),
  )
  return rows[0] ?? { launches: 0, behind: 0 }
}

function reasonFor(rows: readonly HistoryProgress[]): string | null {
  if (rows.length === 0) return REASONS.notBegun
  if (rows.some(({ lacksHistory }) => lacksHistory)) return REASONS.lacksHistory
  return rows.every(isComplete) ? null : REASONS.behind
}

/** Whether everything back to the creation of the address has been read. */
export const isComplete = ({ gaps, hasOrigin }: Pick<HistoryProgress, 'gaps' | 'hasOrigin'>): boolean =>
  gaps.length === 0 && hasOrigin
