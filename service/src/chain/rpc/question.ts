import { isAddress } from '@slipway/schema/address'
import { toCount, toText } from './checks.ts'
import { malformed } from './fault.ts'

/** A call, and how its answer is understood. */
export interface Question<T> {
  method: string
  /** For each attempt anew: meanwhile more may have been seen. 0: nothing has. */
  params(minContextSlot: number): unknown[]
  /** Throws when this can be no answer. */
  decode(result: unknown): T
  /** The slot that an answer is as of, when it tells. */
  slotOf?(answer: T): number
  /** How many slots behind the newest one seen the answer may be. 0 without it. */
  slotsBehindMax?: number
  limits?: Partial<CallLimits> | undefined
}

export interface CallLimits {
  /** For one attempt. */
  attemptMs: number
  /** For all of them, pauses included. */
  totalMs: number
  bytesMax: number
}

/** What a rested endpoint is tried with, and whether anybody answers: cheap, and it shows who lags. */
export const slotQuestion = (limits?: Partial<CallLimits>): Question<number> => ({
  method: 'getSlot',
  params: minContextSlot => [atLeast(minContextSlot)],
  decode: result => toCount(result, 'slot'),
  slotOf: slot => slot,
  limits,
})

/** Tells clusters apart. */
export const GENESIS_HASH_QUESTION: Question<string> = {
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
