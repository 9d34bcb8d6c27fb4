import { poolStateAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/launch-model/programs'
import { shareKept } from '@slipway/launch-model/trade/pool'
import { fetchPool, type Place } from '../../transactions/fetch-pool.ts'

/**
 * A pool's address, what it holds for trading without fees that others have earned, and the share of a trade that it
 * and the creator keep. Null if it can’t be read.
 */
export async function readPool(
  place: Place,
  { baseMint, quoteMint }: { baseMint: string; quoteMint: string },
  bucket: string,
): Promise<{ address: string; reserves: { base: bigint; quote: bigint }; fee: number } | null> {
  const mints = { baseMint: baseMint as Address, quoteMint: quoteMint as Address }
  const pool = (await fetchPool(place, mints, bucket as Address))?.traded
  if (typeof pool !== 'object') return null
  return { address: poolStateAddress(bucket as Address), reserves: pool.reserves, fee: shareKept(pool) }
}
