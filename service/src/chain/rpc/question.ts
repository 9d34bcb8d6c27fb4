import { toCount } from './checks.ts'

/** A call, and how its answer is understood. */
export interface Question<T> {
  method: string
  /** For each attempt anew: meanwhile more may have been seen. 0: nothing has. */
  params(minContextSlot: number): unknown[]
  /** Throws when this can be no answer. */
  decode(result: unknown): T
  /** The slot that an answer is as of, when it tells. */
  slotOf?(answer: T): number
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

export const atLeast = (minContextSlot: number) => ({
  commitment: 'confirmed',
  ...(minContextSlot > 0 && { minContextSlot }),
})
