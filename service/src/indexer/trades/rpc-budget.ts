import { pause } from '../../lib/pause.ts'

/** Limits how many requests are sent per second. */
export interface RpcBudget {
  /** Resolves when a request may be sent, or at the signal. */
  take(): Promise<void>
}

/** Unused requests can be used for this long. */
const BURST_MS = 1_000

export function createRpcBudget(
  perSecond: number,
  { onRequest, signal }: { onRequest(): void; signal: AbortSignal },
): RpcBudget {
  const stepMs = 1_000 / perSecond
  let freeAtMs = 0
  return {
    async take() {
      const nowMs = performance.now()
      freeAtMs = Math.max(freeAtMs, nowMs - BURST_MS) + stepMs
      if (freeAtMs > nowMs) await pause(freeAtMs - nowMs, signal)
      onRequest()
    },
  }
}
