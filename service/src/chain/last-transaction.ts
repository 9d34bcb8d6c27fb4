import type { Address } from '@slipway/schema/address'
import { clampTime } from './accounts/condition.ts'
import type { ChainRpc } from './rpc/create-rpc.ts'
import { RpcError } from './rpc/rpc-error.ts'

export type HistoryReader = Pick<ChainRpc, 'fetchSignatures' | 'fetchBlockTime'>

/** Beyond this many failed ones in a row, nobody looks for one that succeeded. */
const LOOK_BACK = 20

/** When the newest transaction that is known of an account landed. Best effort: nodes forget, and not all keep times. */
export async function fetchLastTransactionAt(
  rpc: HistoryReader,
  address: Address,
): Promise<Date | undefined> {
  try {
    const signatures = await rpc.fetchSignatures(address, { limit: LOOK_BACK })
    const newest = signatures.find(({ failed }) => !failed)
    const seconds = newest && (newest.blockTime ?? (await rpc.fetchBlockTime(newest.slot)))
    return seconds === undefined ? undefined : new Date(clampTime(seconds) * 1_000)
  } catch (error) {
    if (error instanceof RpcError) return undefined
    throw error
  }
}
