import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { Database } from '../../store/database.ts'
import { findKeptAfter, type TradeSource } from '../../store/list-trades.ts'
import { readAllTradesProgress, readTradesProgress } from '../../store/trade-progress.ts'

interface Completeness {
  complete: boolean
  reason: string | null
}

/** Whether every trade is listed; if not, why. */
export async function readCompleteness(
  database: Database,
  network: Network,
  genesisAddress: Address,
  { keptAfter, startsAt }: Pick<TradeSource, 'keptAfter' | 'startsAt'>,
): Promise<Completeness> {
  const progress = await readTradesProgress(database, network, genesisAddress)
  return progress.complete && keptAfter && keptAfter > startsAt ? explainRetention(keptAfter) : progress
}

/** The same for the trades of all launches. A wallet may have traded in any of them. */
export async function readNetworkCompleteness(database: Database, network: Network): Promise<Completeness> {
  const progress = await readAllTradesProgress(database, network)
  const keptAfter = progress.complete ? await findKeptAfter(database) : null
  return keptAfter ? explainRetention(keptAfter) : progress
}

const explainRetention = (keptAfter: Date): Completeness => ({
  complete: false,
  reason: `Trades before ${keptAfter.toISOString().slice(0, 10)} are no longer kept`,
})
