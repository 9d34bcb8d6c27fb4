import type { Address } from '@slipway/schema/address'
import type { ChainAccount } from '../../account-reader.ts'
import { CONDITION_BYTES, type Condition, encodeCondition } from '../../accounts/bucket-layouts.ts'
import { GENESIS_PROGRAM } from '../../addresses/addresses.ts'

/**
 * Whether a step has been carried out. A conflict means that the chain has something other than what the step
 * would write.
 */
type StepState = 'pending' | 'done' | 'conflict'

/** Tells from an account whether a step has been carried out. */
export interface Evidence {
  address: Address
  stateOf(account: ChainAccount): StepState
}

/** Bytes that a step writes into an account. */
export interface Written {
  /** Negative if it is counted from the end of the account. */
  at: number
  bytes: Uint8Array
}

/** A part of an account that is empty until a step writes all of it. */
export interface Field {
  isEmpty(data: Uint8Array): boolean
  /** Undefined if no step writes it. */
  written: readonly Written[] | undefined
}

function isIn(data: Uint8Array, { at, bytes }: Written): boolean {
  const start = at < 0 ? data.length + at : at
  return Buffer.compare(data.subarray(start, start + bytes.length), bytes) === 0
}

/** A condition as the program stores it. When it was met is left out. */
export const writtenCondition = (at: number, condition: Condition): Written => ({
  at,
  bytes: encodeCondition(condition).subarray(0, CONDITION_BYTES - TIMESTAMP_BYTES),
})
const TIMESTAMP_BYTES = 8

/** For a step that creates an account of Genesis. No step may have written the fields in `empty`. */
export const created = (
  address: Address,
  written: readonly Written[],
  empty: readonly Field[] = [],
): Evidence => ({
  address,
  stateOf(account) {
    const data = genesisData(account)
    if (!data) return 'pending'
    const isPlanned = written.every(one => isIn(data, one)) && empty.every(field => field.isEmpty(data))
    return isPlanned ? 'done' : 'conflict'
  },
})

/** For a step that fills fields of an account of Genesis, all of them together. */
export const filled = (address: Address, fields: readonly Field[]): Evidence => ({
  address,
  stateOf(account) {
    const data = genesisData(account)
    if (!data) return 'pending'
    const isEmpty = fields.every(field => field.isEmpty(data))
    const isDone = fields.every(({ isEmpty, written }) =>
      written ? !isEmpty(data) && written.every(one => isIn(data, one)) : isEmpty(data),
    )
    if (isDone) return 'done'
    return isEmpty ? 'pending' : 'conflict'
  },
})

/** For a step that sets one byte to 1. */
export const flagged = (address: Address, at: number): Evidence => ({
  address,
  stateOf: account => (genesisData(account)?.[at] === 1 ? 'done' : 'pending'),
})

const genesisData = (account: ChainAccount): Uint8Array | undefined =>
  account.exists && account.owner === GENESIS_PROGRAM ? account.data : undefined
