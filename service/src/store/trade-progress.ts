import type { Address } from '@slipway/schema/address'
import type { Network } from '@slipway/schema/network'
import type { Database } from './database.ts'

/** Whether every trade of a launch is known; if not, why. */
export async function readTradesProgress(
  _database: Database,
  _network: Network,
  _genesisAddress: Address,
): Promise<{ complete: boolean; reason: string | null }> {
  return { complete: false, reason: 'trades are not indexed' }
}
