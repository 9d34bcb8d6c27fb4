import type { Trade } from '@slipway/launch-model/history/trade'
import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from './database.ts'
import { trades as table } from './trade-tables.ts'

/** Stores trades that are new here. Returns how many were. */
export async function saveTrades(
  database: Database,
  network: Network,
  genesisAddress: Address,
  trades: readonly Trade[],
): Promise<number> {
  if (trades.length === 0) return 0
  const rows = await database.run('trades.save', db =>
    db
      .insert(table)
      .values(trades.map(trade => ({ network, genesisAddress, ...trade })))
      .onConflictDoNothing()
      .returning({ index: table.index }),
  )
  return rows.length
}

/** Removes the trades of transactions that are on no fork that counts. */
export async function removeTrades(
  database: Database,
  network: Network,
  genesisAddress: Address,
  signatures: readonly string[],
): Promise<void> {
  if (signatures.length === 0) return
  await database.run('trades.remove', db =>
    db
      .delete(table)
      .where(
        and(
          eq(table.network, network),
          eq(table.genesisAddress, genesisAddress),
          inArray(table.signature, [...signatures]),
        ),
      ),
  )
}
