import type { Address } from '@slipway/schema/address'
import type { Mechanic } from '@slipway/schema/launch'
import type { Network } from '@slipway/schema/network'
import { eq, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import { launches } from './tables.ts'

/** The on-chain state of a launch at a slot. Times that the chain does not have are absent. */
export interface IndexedLaunch {
  genesisAddress: Address
  slot: number
  mechanic: Mechanic
  startsAt: Date | undefined
  endsAt: Date | undefined
  /** When it graduated; absent if it has not. A stored time is kept. */
  graduatedAt: Date | undefined
  /** When one of its buckets last changed. */
  changedAt: Date | undefined
}

const OPEN_END = '9999-12-31T23:59:59.999Z'

/**
 * Updates registered launches from the chain unless a newer state is stored. Rows that would not change are not
 * written, because a write is announced to all nodes. Returns how many were written.
 */
export async function updateLaunches(
  database: Database,
  network: Network,
  rows: readonly IndexedLaunch[],
): Promise<number> {
  if (rows.length === 0) return 0
  const { rowCount } = await database.run('launches.index', db =>
    db.execute(sql`
      UPDATE launches SET
        slot = seen.slot,
        mechanic = seen.mechanic,
        starts_at = seen.starts_at,
        ends_at = coalesce(seen.ends_at, seen.graduated_at, ${OPEN_END}),
        graduated_at = seen.graduated_at,
        last_activity_at = seen.last_activity_at
      FROM (
        SELECT id, fresh."slot" AS slot, fresh."mechanic" AS mechanic, fresh."endsAt" AS ends_at,
          coalesce(fresh."startsAt", registered_at) AS starts_at,
          CASE WHEN fresh."graduatedAt" IS NULL THEN NULL ELSE coalesce(graduated_at, fresh."graduatedAt") END
            AS graduated_at,
          -- The time of the registration, until the chain shows something later.
          CASE WHEN fresh."changedAt" IS NULL THEN last_activity_at ELSE greatest(registered_at, fresh."changedAt") END
            AS last_activity_at
        FROM launches JOIN jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS fresh
          ("genesisAddress" text, "slot" bigint, "mechanic" text, "startsAt" timestamptz, "endsAt" timestamptz,
           "graduatedAt" timestamptz, "changedAt" timestamptz)
          ON network = ${network} AND genesis_address = fresh."genesisAddress"
      ) AS seen
      WHERE launches.id = seen.id
        -- A slot that is still open has several states: the one with the later activity is newer.
        AND (launches.slot < seen.slot
          OR launches.slot = seen.slot AND launches.last_activity_at <= seen.last_activity_at)
        AND (launches.mechanic, launches.starts_at, launches.ends_at, launches.graduated_at, launches.last_activity_at)
          IS DISTINCT FROM
          (seen.mechanic, seen.starts_at, coalesce(seen.ends_at, seen.graduated_at, ${OPEN_END}::timestamptz),
           seen.graduated_at, seen.last_activity_at)`),
  )
  return rowCount ?? 0
}

/** Lists every registered launch of a network, hidden ones included. */
export async function listLaunchAddresses(database: Database, network: Network): Promise<Address[]> {
  const rows = await database.run('launches.addresses', db =>
    db.select({ address: launches.genesisAddress }).from(launches).where(eq(launches.network, network)),
  )
  return rows.map(({ address }) => address)
}
