import type { Address } from '@slipway/schema/address'
import { toCount, toList, toRecord, toText } from './checks.ts'
import { atLeast, type RpcRequest } from './rpc-request.ts'

export interface SignaturesOptions {
  /** Default and maximum: 1,000. */
  limit?: number
  /** Only older than this transaction. */
  before?: string
  /** Only newer than this one. */
  until?: string
}

/** A transaction that mentions an address. */
export interface SignatureInfo {
  signature: string
  slot: number
  failed: boolean
  /** Unix seconds. */
  blockTime: number | undefined
}

export function signaturesRequest(address: Address, options: SignaturesOptions): RpcRequest<SignatureInfo[]> {
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
