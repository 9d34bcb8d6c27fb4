import type { Address } from '@slipway/schema/address'

/** The versions of transactions that are read, newest first. A legacy transaction has none. */
export const TRANSACTION_VERSIONS = [1, 0] as const

/** A call of a program: an instruction of the transaction, or one that a program invoked. */
export interface LandedCall {
  program: Address
  accounts: readonly Address[]
  /**
   * If it is longer than that of any call that matters here, only its first bytes, or none if the program doesn't
   * matter. Throws `UnreadableData` if it may matter and can't be decoded.
   */
  readonly data: Uint8Array
  /** 1 for the transaction's own instructions. A call was made by the last call before it with a depth one lower. */
  height: number
}

/** A call's data is too long to be decoded: strangers choose its length. */
export class UnreadableData extends Error {}

/** A transaction that is in a block. */
export interface LandedTransaction {
  signature: string
  slot: number
  /** The block's time, in Unix seconds. */
  time: number
  failed: boolean
  /** In the order in which they ran. */
  calls: readonly LandedCall[]
  /** The accounts that did not exist before it. */
  created: ReadonlySet<Address>
  /** What token accounts held before it. */
  held: ReadonlyMap<Address, bigint>
}

/** The longest data that is decoded: that of a curve's event is 81 bytes. */
export const CALL_DATA_MAX = 128
