import type { Address } from '@slipway/schema/address'
import { clampTime } from './accounts/bucket.ts'
import type { ChainRpc } from './rpc/create-rpc.ts'
import { RpcError } from './rpc/fault.ts'

export type HistoryReader = Pick<ChainRpc, 'fetchSignatures' | 'fetchBlockTime'>

/** How many transactions are searched for one that succeeded. */
const LOOK_BACK = 20

/** When the newest successful transaction of an account landed. Best effort: nodes prune history and block times. */
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
