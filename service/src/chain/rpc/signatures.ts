import type { Address } from '@slipway/schema/address'
import { toCount, toList, toRecord, toText } from './checks.ts'
import { atLeast, type Question } from './question.ts'

export interface SignaturesOptions {
  /** 1,000 without it, and at most. */
  limit?: number
  /** Only older than this transaction. */
  before?: string
  /** Only newer than this one. */
  until?: string
}

/** A transaction that named an address. */
export interface SignatureInfo {
  signature: string
  slot: number
  failed: boolean
  /** Unix seconds. */
  blockTime: number | undefined
}

export function signaturesQuestion(address: Address, options: SignaturesOptions): Question<SignatureInfo[]> {
  return {
    method: 'getSignaturesForAddress',
    params: minContextSlot => [address, { ...atLeast(minContextSlot), ...options }],
    decode: result => toList(result, 'result').map(decodeSignature),
  }
}

function decodeSignature(value: unknown): SignatureInfo {
  const { signature, slot, err, blockTime } = toRecord(value, 'entry')
  return {
    signature: toText(signature, 'signature'),
    slot: toCount(slot, 'slot'),
    failed: err !== null && err !== undefined,
    blockTime: blockTime === null || blockTime === undefined ? undefined : toCount(blockTime, 'block time'),
  }
}
