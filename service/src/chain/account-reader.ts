import type { Address } from '@slipway/schema/address'

/** An account as a node returned it. A missing account is a value, not an exception. */
export type ChainAccount =
  | { exists: false; address: Address }
  | { exists: true; address: Address; owner: Address; lamports: bigint; data: Uint8Array }

/** The reads that most code needs. */
export interface AccountReader {
  /** In the order of `addresses`, all as of one slot, at `confirmed` commitment. */
  fetchAccounts(addresses: readonly Address[]): Promise<{ slot: number; accounts: ChainAccount[] }>
}

/** For code that stores what it reads. Call `confirmCluster` before you write. */
export interface CheckedReader extends AccountReader {
  /** How long a slot takes now, within bounds; the shortest that is possible until it is measured. */
  slotMs(): number
  /**
   * Resolves when every endpoint that answered since then (`performance.now()`) has been checked after its answer and
   * belongs to this network's cluster.
   */
  confirmCluster(sinceMs: number): Promise<void>
}

/** A recent blockhash, with the last block height at which its transactions can land. */
export interface Blockhash {
  blockhash: string
  lastValidBlockHeight: number
}

export interface BlockhashSource {
  /** The blockhash that is kept fresh in the background; waits for a new one only if it is too old. */
  latest(): Promise<Blockhash>
  /**
   * Like `latest`, but a repeated request gets a newer blockhash, because the caller wants a second transaction: two
   * identical transactions on one blockhash are the same transaction.
   */
  latestFor(request: string): Promise<Blockhash>
}
