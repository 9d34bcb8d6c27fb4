import type { ApiRequest, CallOptions } from './transport.ts'
import type { Network } from './types.ts'

/** What every group of calls needs. */
export interface CallContext {
  call<Answer>(request: ApiRequest, options?: CallOptions): Promise<Answer>
  /** The network of a call: its own, or the client's. Undefined leaves it to the service. */
  networkOf(call?: { network?: Network | undefined }): Network | undefined
}

/** A failure is an exception here, so `success` is always true and left out. */
export function withoutSuccess<Answer>(answer: Answer & { success?: true }): Answer {
  const { success: _, ...rest } = answer
  return rest as Answer
}
