import type { Address } from '@slipway/schema/address'

/** An account as a node gave it. A missing one is a value, not an exception. */
export type ChainAccount =
  | { exists: false; address: Address }
  | { exists: true; address: Address; owner: Address; lamports: bigint; data: Uint8Array }

/** What most readers of the chain need, and no more. */
export interface AccountReader {
  /** In the order asked for, all as of one slot, at `confirmed` commitment. */
  fetchAccounts(addresses: readonly Address[]): Promise<{ slot: number; accounts: ChainAccount[] }>
}

/** For readers who store what they read: `confirmCluster` comes between the two. */
export interface CheckedReader extends AccountReader {
  /**
   * Resolves when every endpoint that answered since then (`performance.now()`) has been checked after its answer and
   * belongs to this network's cluster.
   */
  confirmCluster(sinceMs: number): Promise<void>
}

/** What a transaction is built against, with the block height up to which it can land. */
export interface Blockhash {
  blockhash: string
  lastValidBlockHeight: number
}

export interface BlockhashSource {
  /** The one kept fresh in the background; waits for another only when that is too old. */
  latest(): Promise<Blockhash>
  /**
   * The same, but for a request that was given it before: by now that transaction may have landed, and who asks again
   * means another. Two on one blockhash would be one.
   */
  latestFor(request: string): Promise<Blockhash>
}
