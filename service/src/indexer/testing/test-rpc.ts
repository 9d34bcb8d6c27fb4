import { onTestFinished } from 'vitest'
import { type ChainRpc, createRpc } from '../../chain/rpc/create-rpc.ts'

/** Longer than a service waits for answers, because the machine may be busy. */
export const PATIENT_RPC = { attemptMs: 10_000, totalMs: 30_000 }

/** What a test itself reads with. */
export function openTestRpc(url: string): ChainRpc {
  const rpc = createRpc({ urls: [url], cluster: 'any', limits: PATIENT_RPC })
  onTestFinished(() => rpc.close())
  return rpc
}
