import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { Database } from '../../store/database.ts'
import type { TradeSource } from '../../store/list-trades.ts'
import { readTradesProgress } from '../../store/trade-progress.ts'

/** Whether every trade is listed; if not, why. */
export async function readCompleteness(
  database: Database,
  network: Network,
  genesisAddress: Address,
  { keptAfter, startsAt }: Pick<TradeSource, 'keptAfter' | 'startsAt'>,
): Promise<{ complete: boolean; reason: string | null }> {
  const progress = await readTradesProgress(database, network, genesisAddress)
  if (!progress.complete || !keptAfter || keptAfter <= startsAt) return progress
  return {
    complete: false,
    reason: `Trades before ${keptAfter.toISOString().slice(0, 10)} are no longer kept`,
  }
}
