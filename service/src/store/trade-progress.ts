import { becomesPool, LISTED_KINDS } from '@slipway/launch-model/kinds/kinds'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq, type SQL, sql } from 'drizzle-orm'
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
    db.select().from(tradeProgress).where(isOf(network, genesisAddress)),
  )
}

const isOf = (network: Network, genesisAddress: Address) =>
  and(eq(tradeProgress.network, network), eq(tradeProgress.genesisAddress, genesisAddress))

export async function saveTradeProgress(
  db: NodePgDatabase,
  network: Network,
  genesisAddress: Address,
  { address, ...progress }: HistoryProgress,
): Promise<void> {
  // The launch may have been deleted meanwhile, together with its trades.
  const { rowCount } = await db.execute(sql`
    SELECT FROM launches WHERE network = ${network} AND genesis_address = ${genesisAddress}`)
  if (rowCount === 0) return
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
  tooNew: 'Some transactions of this launch are of a version that no RPC endpoint returns.',
  unreadable: 'Some transactions of this launch could not be decoded.',
} as const

/** Whether all trades of a launch are stored, and if not, why. */
export async function readTradesProgress(
  database: Database,
  network: Network,
  genesisAddress: Address,
): Promise<{ complete: boolean; reason: string | null }> {
  const { gaps, hasOrigin, lacksHistory, unreadable } = tradeProgress
  const rows = await database.run('trade-progress.read', db =>
    db
      .select({ gaps, hasOrigin, lacksHistory, unreadable })
      .from(tradeProgress)
      .where(isOf(network, genesisAddress)),
  )
  const isReading = await areTradesRead(database, network)
  const reason = isReading
    ? reasonFor(rows, await countPools(database, network, genesisAddress))
    : REASONS.notRead
  return { complete: reason === null, reason }
}

/** Whether all trades of a network are stored, and if not, why. It looks at every launch. */
export async function readAllTradesProgress(
  database: Database,
  network: Network,
): Promise<{ complete: boolean; reason: string | null }> {
  if (!(await areTradesRead(database, network))) return { complete: false, reason: REASONS.notRead }
  const { launches, complete } = await countTradeProgress(database, network)
  const left = launches - complete
  if (left === 0) return { complete: true, reason: null }
  const reason = `Not all transactions of ${left === 1 ? '1 launch' : `${left} launches`} have been read.`
  return { complete: false, reason }
}

const POOL_KINDS = LISTED_KINDS.map(({ name }) => name).filter(becomesPool)

/** How many pools a launch has graduated into. Each has a history of its own. */
const poolsOf = (network: SQL, genesisAddress: SQL) => sql`(
  SELECT count(*)::int FROM buckets JOIN launches USING (network, genesis_address)
  WHERE buckets.network = ${network} AND genesis_address = ${genesisAddress} AND graduated_at IS NOT NULL
    AND kind = ANY(${sql.param(POOL_KINDS)}::text[]))`

/** Whether all histories of a launch have been read back to their beginning. */
export const hasReadAll = (network: SQL, genesisAddress: SQL) => sql`(
  SELECT count(*) > ${poolsOf(network, genesisAddress)} AND coalesce(bool_and(gaps = '[]' AND has_origin), false)
  FROM trade_progress WHERE network = ${network} AND genesis_address = ${genesisAddress})`

async function countPools(database: Database, network: Network, genesisAddress: Address): Promise<number> {
  const { rows } = await database.run('trade-progress.pools', db =>
    db.execute<{ pools: number }>(sql`SELECT ${poolsOf(sql`${network}`, sql`${genesisAddress}`)} AS pools`),
  )
  return rows[0]?.pools ?? 0
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

/** How many launches there are, and of how many of them every trade is stored. */
export async function countTradeProgress(
  database: Database,
  network: Network,
): Promise<{ launches: number; complete: number }> {
  const { rows } = await database.run('trade-progress.count', db =>
    db.execute<{ launches: number; complete: number }>(sql`
      SELECT count(*)::int AS launches, (count(*) FILTER (WHERE is_whole AND histories > pools))::int AS complete
      FROM (
        SELECT count(*) AS histories, ${poolsOf(sql`listed.network`, sql`listed.genesis_address`)} AS pools,
          bool_and(gaps = '[]' AND has_origin AND NOT lacks_history AND unreadable = '[]') AS is_whole
        FROM launches AS listed LEFT JOIN trade_progress USING (network, genesis_address)
        WHERE listed.network = ${network} AND NOT hidden
        GROUP BY listed.network, listed.genesis_address) AS counted`),
  )
  return rows[0] ?? { launches: 0, complete: 0 }
}

function reasonFor(rows: readonly Coverage[], pools: number): string | null {
  if (rows.length === 0) return REASONS.notBegun
  if (rows.some(({ lacksHistory }) => lacksHistory)) return REASONS.lacksHistory
  if (rows.length <= pools || !rows.every(isRead)) return REASONS.behind
  if (rows.every(isComplete)) return null
  const isTooNew = rows.some(({ unreadable }) => unreadable.some(mark => mark.isTooNew))
  return isTooNew ? REASONS.tooNew : REASONS.unreadable
}

type Coverage = Pick<HistoryProgress, 'gaps' | 'hasOrigin' | 'lacksHistory' | 'unreadable'>

/** Whether everything back to the creation of the address has been read. */
const isRead = ({ gaps, hasOrigin }: Pick<Coverage, 'gaps' | 'hasOrigin'>): boolean =>
  gaps.length === 0 && hasOrigin

/** Whether every transaction was also decoded. */
export const isComplete = (progress: Omit<Coverage, 'lacksHistory'>): boolean =>
  isRead(progress) && progress.unreadable.length === 0
