import { poolStateAddress } from '@slipway/launch-model/addresses'
import type { Address } from '@slipway/launch-model/programs'
import { fetchPool, type Place } from '../../transactions/fetch-pool.ts'

/** A pool's address and what it holds for trading, without fees that others have earned. Null if it can’t be read. */
export async function readPool(
  place: Place,
  { baseMint, quoteMint }: { baseMint: string; quoteMint: string },
  bucket: string,
): Promise<{ address: string; reserves: { base: bigint; quote: bigint } } | null> {
  const mints = { baseMint: baseMint as Address, quoteMint: quoteMint as Address }
  const pool = await fetchPool(place, mints, bucket as Address)
  if (typeof pool !== 'object') return null
  return { address: poolStateAddress(bucket as Address), reserves: pool.reserves }
}
