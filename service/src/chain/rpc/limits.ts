import type { CallLimits } from './json-rpc.ts'

/** How long the endpoints of a network may take, and how long they rest. Tests replace some of these. */
export interface RpcLimits extends CallLimits {
  /** The first rest of an endpoint. */
  restMsMin: number
  restMsMax: number
  /** The shortest pause before a resting endpoint is probed. */
  probeMsMin: number
  /** An answer may rely on a cluster check of at most this age. At half this age, the next request renews the check. */
  checkMsMax: number
  /** How long an endpoint gets the older form of a request before it is tried with the newest again. */
  olderMs: number
}

/** A call that no client waits for may take this many times longer, so that a slow endpoint delays the index without stopping it. */
export const PATIENCE = 4

/** More than the ordinary delay between nodes. */
export const LAG_MS_MAX = 20_000

export const RPC_LIMITS: RpcLimits = {
  attemptMs: 1_200,
  totalMs: 2_800,
  bytesMax: 16 * 1024 * 1024,
  restMsMin: 1_000,
  restMsMax: 30_000,
  probeMsMin: 500,
  checkMsMax: 10_000,
  olderMs: 3_600_000,
}
