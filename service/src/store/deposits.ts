import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { IS_INDEX_COMPLETE } from './buckets.ts'
import { INDEXED_AT } from './chain-progress.ts'
import type { Database } from './database.ts'
import { deposits } from './deposit-table.ts'
import { buckets, chainProgress } from './tables.ts'

type SeenDeposit = Pick<typeof deposits.$inferSelect, 'address' | 'owner' | 'bucket'>

/** The addresses among these that are stored. */
export async function findStoredDeposits(
  database: Database,
  network: Network,
  addresses: readonly Address[],
): Promise<Set<Address>> {
  const rows = await database.run('deposits.stored', db =>
    db
      .select({ address: deposits.address })
      .from(deposits)
      .where(
        and(eq(deposits.network, network), sql`${deposits.address} = ANY(${sql.param(addresses)}::text[])`),
      ),
  )
  return new Set(rows.map(({ address }) => address))
}

/**
 * Stores deposits as of a slot. A deposit's bucket and wallet never change, so a row is written again only with
 * `renews`: the newer slot keeps an older read, which did not find the deposit, from removing it.
 */
export async function saveDeposits(
  database: Database,
  network: Network,
  seen: readonly SeenDeposit[],
  { slot, renews }: { slot: number; renews: boolean },
): Promise<void> {
  // A node may list an account twice, which one statement can't store. A fixed order prevents deadlocks.
  const unique = [...new Map(seen.map(row => [row.address, row])).values()].sort((a, b) =>
    a.address < b.address ? -1 : 1,
  )
  if (unique.length === 0) return
  const column = (name: keyof SeenDeposit) => sql`${sql.param(unique.map(row => row[name]))}::text[]`
  const onKnown = renews
    ? sql`DO UPDATE SET slot = excluded.slot WHERE known.slot < excluded.slot`
    : sql`DO NOTHING`
  await database.run('deposits.save', db =>
    db.execute(sql`INSERT INTO deposits AS known (network, address, owner, bucket, slot)
      SELECT ${network}, address, owner, bucket, ${slot}
      FROM unnest(${column('address')}, ${column('owner')}, ${column('bucket')}) AS seen (address, owner, bucket)
      ON CONFLICT (network, address) ${onKnown}`),
  )
}

/** Removes deposits that the chain does not have as of this slot. */
export async function removeDeposits(
  database: Database,
  network: Network,
  addresses: readonly Address[],
  slot: number,
): Promise<void> {
  if (addresses.length === 0) return
  await database.run('deposits.remove', db =>
    db.execute(sql`DELETE FROM deposits
      WHERE network = ${network} AND address = ANY(${sql.param(addresses)}::text[]) AND slot <= ${slot}`),
  )
}

/** The next deposits after this one, in the order of their addresses. */
export async function listDeposits(
  database: Database,
  network: Network,
  { after, limit }: { after: string; limit: number },
): Promise<Address[]> {
  const rows = await database.run('deposits.list', db =>
    db
      .select({ address: deposits.address })
      .from(deposits)
      .where(and(eq(deposits.network, network), gt(deposits.address, after as Address)))
      .orderBy(asc(deposits.address))
      .limit(limit),
  )
  return rows.map(({ address }) => address)
}

/** More than any real wallet has, so that the cost of a request is bounded. */
const OWNED_MAX = 10_000

export interface DepositLaunches {
  /** Whether the store knows all of the wallet's deposits. */
  isIndexComplete: boolean
  indexed?: { slot: number; at: Date }
  /** Registered or not. */
  launches: Address[]
}

/** The launches in which a wallet has deposits. One query. */
export async function findDepositLaunches(
  database: Database,
  network: Network,
  owner: Address,
): Promise<DepositLaunches> {
  const rows = await database.run('deposits.launches', db =>
    db
      .select({
        launch: buckets.genesisAddress,
        slot: chainProgress.slot,
        at: INDEXED_AT,
        isIndexComplete: sql<boolean>`${IS_INDEX_COMPLETE} AND ${chainProgress.hasDeposits}`,
      })
      // Always yields a row, even if nothing else matches.
      .from(sql`(SELECT 1) AS one`)
      .leftJoin(chainProgress, eq(chainProgress.network, network))
      .leftJoin(deposits, and(eq(deposits.network, network), eq(deposits.owner, owner)))
      .leftJoin(buckets, and(eq(buckets.network, network), eq(buckets.address, deposits.bucket)))
      .limit(OWNED_MAX),
  )
  const { isIndexComplete = false, slot = null, at = null } = rows[0] ?? {}
  return {
    isIndexComplete: isIndexComplete === true,
    ...(slot !== null && at && { indexed: { slot, at } }),
    launches: [...new Set(rows.flatMap(({ launch }) => launch ?? []))],
  }
}
