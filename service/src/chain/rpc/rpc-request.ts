import { isAddress } from '@slipway/schema/address'
import { toCount, toText } from './checks.ts'
import { malformed } from './fault.ts'

/** A JSON-RPC request and how its result is decoded. */
export interface RpcRequest<T> {
  method: string
  /** Built for each attempt, because a newer slot may have been seen. 0 if none was. */
  params(minContextSlot: number): unknown[]
  /** Throws if this can't be the result. */
  decode(result: unknown): T
  /** The slot that the result is as of, if it says so. */
  slotOf?(answer: T): number
  /** How many slots the result may be behind the newest one seen. Default: 0. */
  slotsBehindMax?: number
  limits?: Partial<CallLimits> | undefined
}

export interface CallLimits {
  /** For one attempt. */
  attemptMs: number
  /** For all attempts, pauses included. */
  totalMs: number
  bytesMax: number
}

/** Cheap, and shows whether an endpoint lags: used for probes and health checks. */
export const slotRequest = (limits?: Partial<CallLimits>): RpcRequest<number> => ({
  method: 'getSlot',
  params: minContextSlot => [atLeast(minContextSlot)],
  decode: result => toCount(result, 'slot'),
  slotOf: slot => slot,
  limits,
})

/** Tells clusters apart. */
export const GENESIS_HASH_REQUEST: RpcRequest<string> = {
  method: 'getGenesisHash',
  params: () => [],
  decode(result) {
    const hash = toText(result, 'genesis hash')
    // Like an address: base58 of 32 bytes.
    if (!isAddress(hash)) throw malformed('the genesis hash is not base58 of 32 bytes')
    return hash
  },
}

export type Commitment = 'confirmed' | 'finalized'

export const atLeast = (minContextSlot: number, commitment: Commitment = 'confirmed') => ({
  commitment,
  ...(minContextSlot > 0 && { minContextSlot }),
})
